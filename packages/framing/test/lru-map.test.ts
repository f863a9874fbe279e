import { describe, expect, it } from "vitest";
import { LruMap } from "../src/lru-map.ts";

describe("LruMap", () => {
  it("forgets what was not used for longest once the bound is passed", () => {
    const map = new LruMap<string, number>(10);
    map.set("a", 1, 4);
    map.set("b", 2, 4);
    expect(map.get("a")).toBe(1);
    map.set("c", 3, 4);
    expect([map.get("a"), map.get("b"), map.get("c"), map.weight]).toEqual([1, undefined, 3, 8]);
  });

  it("counts what was used twice in a row, and then anew, as used", () => {
    const map = new LruMap<string, number>(2);
    map.set("a", 1, 1);
    map.set("b", 2, 1);
    expect([map.get("a"), map.get("a"), map.get("b"), map.get("a")]).toEqual([1, 1, 2, 1]);
    map.set("c", 3, 1);
    expect([map.has("a"), map.has("b"), map.has("c")]).toEqual([true, false, true]);
  });

  it("counts a key once, with its latest weight, and forgets several for a heavy one", () => {
    const map = new LruMap<string, number>(10);
    map.set("a", 1, 9);
    map.set("a", 2, 6);
    expect(map.weight).toBe(6);
    map.set("b", 3, 2);
    expect([map.get("a"), map.get("b")]).toEqual([2, 3]);
    map.set("c", 4, 10);
    expect([map.has("a"), map.has("b"), map.weight]).toEqual([false, false, 10]);
  });

  it("keeps nothing that alone is too heavy, nor the value it was to replace", () => {
    const map = new LruMap<string, number>(10);
    map.set("a", 1, 5);
    map.set("b", 2, 5);
    map.set("c", 3, 50);
    map.set("b", 4, 11);
    expect([map.get("a"), map.has("b"), map.has("c"), map.weight]).toEqual([1, false, false, 5]);
    map.set("d", 5, 5);
    expect([map.get("a"), map.get("d")]).toEqual([1, 5]);
  });
});
