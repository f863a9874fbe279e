import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesFor, checkWidth, log2Floor } from "../src/widths.ts";

describe("checkWidth", () => {
  it("takes 2, 4 and 8 alone", () => {
    for (const width of [2, 4, 8]) expect(checkWidth("size of offsets", width, "superblock")).toBe(width);
    for (const width of [0, 1, 3, 16, 32, 255]) {
      expect(() => checkWidth("size of offsets", width, "superblock", 13)).toThrow(
        expect.objectContaining({ code: "UNSUPPORTED_FEATURE", structure: "superblock", address: 13 }),
      );
    }
  });
});

describe("bytesFor and log2Floor", () => {
  it("are exact at every power of two", () => {
    for (let bit = 0; bit < 53; bit++) {
      expect(log2Floor(2 ** bit)).toBe(bit);
      expect(log2Floor(2 ** (bit + 1) - 1)).toBe(bit);
      expect(bytesFor(2 ** bit)).toBe(Math.floor(bit / 8) + 1);
    }
    expect([bytesFor(0), bytesFor(255), bytesFor(256), bytesFor(Number.MAX_SAFE_INTEGER)]).toEqual([1, 1, 2, 7]);
  });

  it("agree with the digits", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        expect(bytesFor(value)).toBe(Math.ceil(value.toString(16).length / 2));
        if (value > 0) expect(log2Floor(value)).toBe(value.toString(2).length - 1);
      }),
    );
  });
});
