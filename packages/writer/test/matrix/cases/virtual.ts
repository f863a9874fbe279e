import { virtualDataset } from "../../../src/index.ts";
import type { MatrixCases } from "../matrix-case.ts";
import { ramp } from "./layouts.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Datasets whose elements are those of others; what is nowhere has the fill value. */
const cases: MatrixCases = {
  fixed(file, expect) {
    file.dataset("/first", ramp(6));
    file.dataset("/second", ramp(12), { shape: [2, 6], chunks: [2, 2] });
    const parts = [
      { file: ".", dataset: "/first", target: [0, null] },
      { file: ".", dataset: "/second", source: [1, null], target: [2, null] },
      { file: "there is none.h5", dataset: "/third", target: [3, null] },
    ];
    virtualDataset(file, "/virtual", parts, { dtype: "int32", shape: [4, 6], fillValue: -1 });
    const nowhere = new Array<number>(6).fill(-1);
    const data = [...ramp(6), ...nowhere, ...ramp(12).subarray(6), ...nowhere];
    expect("/virtual", { layout: "virtual", shape: [4, 6], data: Int32Array.from(data), facts: { fill: -1 } });
  },

  unlimited(file, expect) {
    const growing = { shape: [3, 2], maxShape: [NO_LIMIT, 2], chunks: [2, 2] };
    file.dataset("/growing", ramp(6), growing).append(ramp(4), { shape: [2, 2] });
    const all = {
      type: "hyperslab",
      form: "regular",
      start: [0, 0],
      stride: [1, 1],
      count: [NO_LIMIT, 1],
      block: [1, 2],
    } as const;
    const source = { file: ".", dataset: "/growing", source: all, target: all };
    virtualDataset(file, "/virtual", [source], { dtype: "int32", shape: [0, 2], maxShape: [NO_LIMIT, 2] });
    expect("/virtual", { layout: "virtual", shape: [5, 2], maxshape: [null, 2], data: [...ramp(6), ...ramp(4)] });
  },

  printf(file, expect) {
    for (const number of [0, 1, 2])
      file.dataset(
        `/block ${number}%`,
        ramp(4).map((value) => value * 10 ** number),
      );
    const target = {
      type: "hyperslab",
      form: "regular",
      start: [0],
      stride: [4],
      count: [NO_LIMIT],
      block: [4],
    } as const;
    const source = { file: ".", dataset: "/block %b%%", target };
    virtualDataset(file, "/virtual", [source], { dtype: "int32", shape: [0], maxShape: [NO_LIMIT] });
    const data = [1, 2, 3, 4, 10, 20, 30, 40, 100, 200, 300, 400];
    expect("/virtual", { layout: "virtual", shape: [12], maxshape: [null], data });
  },

  converted(file, expect) {
    file.dataset("/source", ramp(6), { dtype: ">i4", shape: [6] });
    virtualDataset(file, "/virtual", [{ file: ".", dataset: "/source" }], { dtype: "float64", shape: [6] });
    expect("/virtual", { layout: "virtual", data: new Float64Array(ramp(6)) });
  },
};

/** The earliest format cannot hold them. */
export const virtual: MatrixCases = Object.fromEntries(
  Object.entries(cases).map(([name, build]) => [
    name,
    { build: build as Extract<typeof build, (...all: never) => void>, styles: ["plain", "shared", "v200"] },
  ]),
);
