import { compoundType, fixedStringType, int32le, uint8, vlenStringType } from "@h5/datatypes";
import { deflate } from "../../../src/index.ts";
import type { Json } from "../expected.ts";
import type { MatrixCases } from "../matrix-case.ts";

const record = compoundType([
  { name: "a", type: uint8 },
  { name: "s", type: fixedStringType(3) },
]);

/** Fill values by type: as put in, and as an element reads. */
const values = {
  int8: [-7, -7],
  uint64: [2n ** 63n, String(2n ** 63n)],
  ">i4": [-9, -9],
  float16: [0.5, 0.5],
  float64: [Number.NaN, "NaN"],
  bool: [true, 1],
  "string:4": ["ab", "ab"],
  record: [
    { a: 3, s: "x" },
    { a: 3, s: "x" },
  ],
} as const satisfies Record<string, readonly [unknown, Json]>;

export const fills: MatrixCases = {
  types(file, expect) {
    for (const [name, [fillValue, element]] of Object.entries(values)) {
      const dtype = name === "record" ? record : name;
      for (const chunks of [undefined, [2]]) {
        const path = `/${name}-${chunks ? "chunked" : "contiguous"}`;
        file.dataset(path, undefined, { dtype, shape: [5], chunks, fillValue });
        expect(path, { data: Array.from({ length: 5 }, () => element), facts: chunks && { stored_chunks: 0 } });
      }
      file.dataset(`/${name}-compact`, undefined, { dtype, shape: [3], layout: "compact", fillValue });
      expect(`/${name}-compact`, { data: [element, element, element] });
    }
  },

  strings(file, expect) {
    const dtype = vlenStringType();
    file.dataset("/contiguous", ["a", "b"], { dtype, fillValue: "none" });
    expect("/contiguous", { data: ["a", "b"] });
    file.dataset("/chunked", ["a", "b", "c"], { dtype, fillValue: "none", chunks: [2], maxShape: [9] }).resize([7]);
    expect("/chunked", { data: ["a", "b", "c", "none", "none", "none", "none"], facts: { stored_chunks: 4 } });
  },

  times(file, expect) {
    for (const allocationTime of ["early", "late", "incremental"] as const) {
      for (const fillTime of ["allocation", "never", "ifset"] as const) {
        for (const fillValue of [undefined, 7, null]) {
          if (fillValue === null && fillTime === "allocation") continue;
          for (const layout of ["contiguous", "chunked"] as const) {
            const path = `/${layout}-${allocationTime}-${fillTime}-${fillValue}`;
            const options = {
              allocationTime,
              fillTime,
              fillValue,
              layout,
              chunks: layout === "chunked" ? [2] : undefined,
            };
            file.dataset(path, Int32Array.of(1, 2, 3, 4, 5), options);
            const facts = { allocation_time: allocationTime, fill_time: fillTime };
            const fill = fillValue === undefined ? 0 : fillValue;
            expect(path, { data: [1, 2, 3, 4, 5], layout, facts: { ...facts, fill } });
            if (fillTime === "never" || fillValue === null) continue;
            file.dataset(`${path}-unwritten`, undefined, { ...options, dtype: "int32", shape: [5] });
            expect(`${path}-unwritten`, { data: [fill, fill, fill, fill, fill], layout, facts: { ...facts, fill } });
          }
        }
      }
    }
  },

  /** Chunks of nothing but the fill value have no room in the file. */
  filledChunks(file, expect) {
    const data = Int32Array.of(5, 5, 5, 5, 1, 5, 5, 5, 5, 2);
    for (const [name, maxShape] of Object.entries({ fixed: [10], grows: [Number.POSITIVE_INFINITY] })) {
      file.dataset(name, data, { chunks: [2], fillValue: 5, maxShape });
      expect(`/${name}`, { data, facts: { stored_chunks: 2, fill: 5 } });
      file.dataset(`${name}-filtered`, data, { chunks: [2], fillValue: 5, maxShape, filters: [deflate()] });
      expect(`/${name}-filtered`, { data, facts: { stored_chunks: 2 } });
      file.dataset(`${name}-zeros`, new Float64Array(10), { chunks: [2], maxShape });
      expect(`/${name}-zeros`, { data: new Float64Array(10), facts: { stored_chunks: 0 } });
      file.dataset(`${name}-early`, data, { chunks: [2], fillValue: 5, maxShape, allocationTime: "early" });
      expect(`/${name}-early`, { data, facts: { stored_chunks: 5 } });
    }
  },

  resize(file, expect) {
    const options = { chunks: [2, 2], maxShape: [Number.POSITIVE_INFINITY, 6], fillValue: -1 };
    const dataset = file.dataset(
      "/resized",
      [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8, 9],
      ],
      { ...options, dtype: int32le },
    );
    dataset.resize([2, 2]).resize([4, 4]);
    expect("/resized", { shape: [4, 4], data: [1, 2, -1, -1, 4, 5, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1] });
    const appended = file.dataset("/appended", [[1, 2]], { chunks: [2, 2], maxShape: [Number.POSITIVE_INFINITY, 2] });
    appended
      .append([
        [3, 4],
        [5, 6],
      ])
      .append([[7, 8]]);
    expect("/appended", { shape: [4, 2], data: [1, 2, 3, 4, 5, 6, 7, 8] });
    const both = { chunks: [2, 2], maxShape: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY], fillValue: 0 };
    file
      .dataset("/diagonal", [[1]], both)
      .append([[2, 3]])
      .append([[4]]);
    expect("/diagonal", { shape: [3, 4], data: [1, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0, 4] });
  },
};
