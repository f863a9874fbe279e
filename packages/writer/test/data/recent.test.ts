import { describe, expect, it } from "vitest";
import { quickHash, Recent } from "../../src/data/recent.ts";

const any = (): boolean => true;

describe("Recent", () => {
  it("finds all of thousands of things, among others of the same hash too, and not what is forgotten", () => {
    const recent = new Recent();
    const hashes = Array.from({ length: 5000 }, (_, i) => Math.imul(i >> 1, 0x9e3779b1));
    hashes.forEach((hash, i) => {
      recent.add(hash, 0, i + 1);
    });
    hashes.forEach((hash, i) => {
      expect(recent.find(hash, 0, (place) => place === i + 1)).toBe(i + 1);
    });
    expect(recent.find(hashes[7]!, 0, () => false)).toBe(0);
    expect(recent.find(hashes[7]!, 1, any)).toBe(0);
    recent.forget(2001);
    expect(recent.find(hashes[1999]!, 0, (place) => place > 1999)).toBe(2000);
    expect(recent.find(hashes[2000]!, 0, any)).toBe(0);
  });

  it("finds the last of very many things, and of very many of one hash", () => {
    const recent = new Recent();
    const hash = (place: number): number => Math.imul(place, 0x9e3779b1);
    for (let place = 1; place <= 300_000; place++) recent.add(hash(place), 0, place);
    for (let place = 299_000; place <= 300_000; place++) expect(recent.find(hash(place), 0, any)).toBe(place);
    expect(recent.find(hash(1), 0, any)).toBe(0);
    for (let place = 300_001; place <= 300_100; place++) recent.add(-7, 0, place);
    expect(recent.find(-7, 0, (place) => place <= 300_097)).toBe(300_097);
    expect(recent.find(-7, 0, (place) => place <= 300_096)).toBe(0);
  });
});

describe("quickHash", () => {
  it("depends on every byte and on how many there are", () => {
    const variants = [[], [0], [0, 0], [1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1], [1, 2, 3, 4, 5]];
    expect(new Set(variants.map((bytes) => quickHash(Uint8Array.from(bytes)))).size).toBe(variants.length);
  });
});
