import fc from "fast-check";
import { expect, it } from "vitest";
import { addresses, names, shapes } from "../src/index.ts";

it("addresses fit their width and are never the undefined address", () => {
  for (const width of [2, 4] as const) {
    fc.assert(fc.property(addresses(width), (value) => value >= 0 && value < 2 ** (8 * width) - 1));
  }
  fc.assert(fc.property(addresses(8), Number.isSafeInteger));
});

it("shapes stay near their bound and reach every rank", () => {
  const drawn = fc.sample(shapes(3, 1000), { numRuns: 200, seed: 1 });
  expect(new Set(drawn.map((shape) => shape.length))).toEqual(new Set([1, 2, 3]));
  expect(drawn.every((shape) => shape.reduce((product, side) => product * side, 1) <= 1000)).toBe(true);
});

it("names are never empty and hold no NUL", () => {
  fc.assert(fc.property(names(), (name) => name.length > 0 && !name.includes("\0")));
});
