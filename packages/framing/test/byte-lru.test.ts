import { describe, expect, it } from "vitest";
import { ByteLru } from "../src/byte-lru.ts";

const sized = (length: number): Uint8Array => new Uint8Array(length);

describe("ByteLru", () => {
  it("drops the least recently used beyond its bound", () => {
    const cache = new ByteLru<string>(10);
    cache.set("a", sized(4));
    cache.set("b", sized(4));
    cache.get("a");
    cache.set("c", sized(4));
    expect([cache.has("a"), cache.has("b"), cache.has("c"), cache.byteLength]).toEqual([true, false, true, 8]);
  });

  it("counts a replaced entry once, and drops several for a big one", () => {
    const cache = new ByteLru<string>(10);
    cache.set("a", sized(4));
    cache.set("a", sized(6));
    expect(cache.byteLength).toBe(6);
    cache.set("b", sized(2));
    cache.set("c", sized(10));
    expect([cache.has("a"), cache.has("b"), cache.byteLength]).toEqual([false, false, 10]);
  });

  it("does not keep what is above the bound alone, nor the value it was to replace", () => {
    const cache = new ByteLru<string>(10);
    cache.set("a", sized(4));
    cache.set("b", sized(4));
    cache.set("a", sized(11));
    expect([cache.get("a"), cache.has("b"), cache.byteLength]).toEqual([undefined, true, 4]);
  });
});
