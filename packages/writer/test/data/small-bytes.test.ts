import { describe, expect, it } from "vitest";
import { SmallBytes } from "../../src/data/small-bytes.ts";

describe("SmallBytes", () => {
  it("keeps copies of what is small, each apart from all others", () => {
    const small = new SmallBytes();
    const sizes = Array.from({ length: 300 }, (_, i) => (i * 37) % 1024);
    const given = sizes.map((size, i) => new Uint8Array(size).fill(i));
    const kept = given.map((bytes) => small.kept(bytes));
    for (const bytes of given) bytes.fill(255);
    expect(kept).toEqual(sizes.map((size, i) => new Uint8Array(size).fill(i)));
    // About 150 KB, in buffers of 64 KiB.
    expect(new Set(kept.map(({ buffer }) => buffer)).size).toBeLessThan(6);
  });

  it("aligns copies, so that filters may look at them as numbers of any size", () => {
    const small = new SmallBytes();
    for (const size of [3, 1024, 1, 16, 1021, 0, 8]) {
      expect(small.kept(new Uint8Array(size)).byteOffset % 8).toBe(0);
    }
  });

  it("keeps larger bytes as they are", () => {
    const bytes = new Uint8Array(1025);
    expect(new SmallBytes().kept(bytes)).toBe(bytes);
  });
});
