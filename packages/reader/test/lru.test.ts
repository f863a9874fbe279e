import { describe, expect, it } from "vitest";
import { LruMap } from "../src/lru.ts";

describe("LruMap", () => {
  it("forgets what was not used for longest once the bound is passed", () => {
    const map = new LruMap<string, number>(10);
    map.set("a", 1, 4);
    map.set("b", 2, 4);
    expect(map.get("a")).toBe(1);
    map.set("c", 3, 4);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, 3]);
  });

  it("counts a key once, with its latest weight", () => {
    const map = new LruMap<string, number>(10);
    map.set("a", 1, 9);
    map.set("a", 2, 1);
    map.set("b", 3, 9);
    expect([map.get("a"), map.get("b")]).toEqual([2, 3]);
  });

  it("keeps nothing that alone is too heavy, and the others", () => {
    const map = new LruMap<string, number>(10);
    map.set("a", 1, 5);
    map.set("b", 2, 5);
    map.set("c", 3, 50);
    map.set("b", 4, 11);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([1, undefined, undefined]);
    map.set("d", 5, 5);
    expect([map.get("a"), map.get("d")]).toEqual([1, 5]);
  });
});
