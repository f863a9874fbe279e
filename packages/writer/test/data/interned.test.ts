import { describe, expect, it } from "vitest";
import { Interned, quickHash } from "../../src/data/interned.ts";

describe("Interned", () => {
  it("finds what was added, among others of the same hash too, and not what was cut off", () => {
    const interned = new Interned();
    const hashes = Array.from({ length: 1000 }, (_, i) => (i % 3 === 0 ? -7 : i * 64));
    hashes.forEach((hash, i) => {
      expect(interned.add(hash)).toBe(i);
    });
    hashes.forEach((hash, i) => {
      expect(interned.find(hash, (number) => number === i)).toBe(i);
    });
    expect(interned.find(-7, () => false)).toBe(-1);
    interned.cut(500);
    expect(interned.count).toBe(500);
    expect(interned.find(hashes[499]!, (number) => number === 499)).toBe(499);
    expect(interned.find(hashes[500]!, (number) => number === 500)).toBe(-1);
    expect(interned.add(1)).toBe(500);
  });
});

describe("quickHash", () => {
  it("depends on every byte and on how many there are", () => {
    const variants = [[], [0], [0, 0], [1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [1, 2, 3, 4, 5]];
    expect(new Set(variants.map((bytes) => quickHash(Uint8Array.from(bytes)))).size).toBe(variants.length);
  });
});
