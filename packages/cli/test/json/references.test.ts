import type { Selection } from "@h5/selection";
import { describe, expect, it } from "vitest";
import { jsonSelection } from "../../src/json/references.ts";

const regular = (start: number[], stride: number[], count: number[], block: number[]): Selection => ({
  type: "hyperslab",
  form: "regular",
  start,
  stride,
  count,
  block,
});

describe("jsonSelection", () => {
  it("names all, none and points", () => {
    expect(jsonSelection({ type: "all" })).toEqual({ all: true });
    expect(jsonSelection({ type: "none" })).toEqual({ none: true });
    const points = [
      [2, 1],
      [0, 0],
      [2, 1],
    ];
    expect(jsonSelection({ type: "points", points })).toEqual({ points });
  });

  it("spells a regular hyperslab's blocks out in row-major order, ends inclusive", () => {
    expect(jsonSelection(regular([1, 0], [3, 4], [2, 2], [2, 1]))).toEqual({
      blocks: [
        [
          [1, 0],
          [2, 0],
        ],
        [
          [1, 4],
          [2, 4],
        ],
        [
          [4, 0],
          [5, 0],
        ],
        [
          [4, 4],
          [5, 4],
        ],
      ],
    });
  });

  it("gives an unlimited hyperslab by its numbers", () => {
    expect(jsonSelection(regular([1], [3], [Infinity], [2]))).toEqual({ hyperslab: [[1], [3], [null], [2]] });
  });

  it("counts what is too much to spell out", () => {
    expect(jsonSelection(regular([0, 0], [2, 2], [50, 41], [1, 1]))).toEqual({ nblocks: 2050 });
    const points = Array.from({ length: 2001 }, (_, i) => [i]);
    expect(jsonSelection({ type: "points", points })).toEqual({ npoints: 2001 });
  });
});
