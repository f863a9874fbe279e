import { describe, expect, it } from "vitest";
import { filterName } from "../src/filter-name.ts";

describe("filterName", () => {
  it("knows the library's filters and registered ones", () => {
    expect([1, 2, 3, 4, 5, 6].map(filterName)).toEqual([
      "deflate",
      "shuffle",
      "fletcher32",
      "szip",
      "nbit",
      "scaleoffset",
    ]);
    expect(filterName(32015)).toBe("zstd");
    expect(filterName(12345)).toBeUndefined();
  });
});
