import { describe, expect, it } from "vitest";
import { flips, patched, sample, truncations } from "../src/index.ts";

const bytes = Uint8Array.of(1, 2, 3);

describe("hostile bytes", () => {
  it("truncates at every byte", () => {
    expect([...truncations(bytes)].map((mutant) => [...mutant.bytes])).toEqual([[], [1], [1, 2]]);
  });

  it("flips each byte in turn and leaves the input alone", () => {
    expect([...flips(bytes, 0x80)].map((mutant) => [...mutant.bytes])).toEqual([
      [0x81, 2, 3],
      [1, 0x82, 3],
      [1, 2, 0x83],
    ]);
    expect([...bytes]).toEqual([1, 2, 3]);
  });

  it("patches a copy, within its bounds", () => {
    expect([...patched(bytes, 1, [9, 8])]).toEqual([1, 9, 8]);
    expect(() => patched(bytes, 2, [9, 8])).toThrow(RangeError);
  });

  it("samples the same numbers for the same seed", () => {
    expect(sample(5, 100, 7)).toEqual(sample(5, 100, 7));
    expect(sample(200, 10).every((at) => at >= 0 && at < 10)).toBe(true);
  });
});
