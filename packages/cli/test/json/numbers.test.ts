import { describe, expect, it } from "vitest";
import { jsonFloat, jsonInteger } from "../../src/json/numbers.ts";

describe("jsonInteger", () => {
  it("is a number as long as it is exact, else a decimal string", () => {
    expect([0, -5, 7n, 2n ** 53n - 1n, -(2n ** 53n) + 1n].map(jsonInteger)).toEqual([
      0, -5, 7, 9007199254740991, -9007199254740991,
    ]);
    expect([2n ** 53n, -(2n ** 63n), 2n ** 64n - 1n].map(jsonInteger)).toEqual([
      "9007199254740992",
      "-9223372036854775808",
      "18446744073709551615",
    ]);
  });
});

describe("jsonFloat", () => {
  it("is a number, or a word where JSON has none", () => {
    expect([1.5, Number.NaN, Infinity, -Infinity].map(jsonFloat)).toEqual([1.5, "NaN", "Infinity", "-Infinity"]);
  });
});
