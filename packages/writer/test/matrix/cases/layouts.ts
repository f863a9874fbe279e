import type { DatasetBuilder } from "../../../src/index.ts";
import { deflate, shuffle } from "../../../src/index.ts";
import type { MatrixCases } from "../matrix-case.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** 0, 1, 2, … in a type of four bytes. */
export function ramp(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i + 1);
}

/** How the elements of a dataset lie in the file, and what finds its chunks. */
export const layouts: MatrixCases = {
  whole(file, expect) {
    file.dataset("/compact", ramp(12), { shape: [3, 4], layout: "compact" });
    expect("/compact", { shape: [3, 4], layout: "compact", chunks: null, data: ramp(12) });
    const most = Uint8Array.from({ length: 65531 - 64 }, (_, i) => i % 255);
    file.dataset("/compactLarge", most, { layout: "compact" });
    expect("/compactLarge", { layout: "compact", data: most });
    file.dataset("/contiguous", ramp(12), { shape: [12], layout: "contiguous" });
    expect("/contiguous", { layout: "contiguous", data: ramp(12) });
    file.dataset("/unwritten", undefined, { dtype: "int16", shape: [5] });
    expect("/unwritten", { layout: "contiguous", data: [0, 0, 0, 0, 0] });
  },

  external(file, expect, { beside }) {
    const external = [
      { file: "external-1.raw", offset: 16, size: 12 },
      { file: "external-2.raw", offset: 0, size: undefined },
    ];
    file.dataset("/external", undefined, { dtype: "int32", shape: [10], external });
    const bytes = new Uint8Array(ramp(10).buffer);
    beside("external-1.raw", Uint8Array.of(...new Uint8Array(16), ...bytes.subarray(0, 12)));
    beside("external-2.raw", bytes.subarray(12));
    expect("/external", { layout: "contiguous", data: ramp(10) });
  },

  single(file, expect) {
    for (const [name, filters] of Object.entries({ plain: [], deflate: [deflate()] })) {
      file.dataset(name, ramp(60), { shape: [6, 10], chunks: [6, 10], filters });
      expect(`/${name}`, { chunk_index: "single", data: ramp(60), facts: { stored_chunks: 1 } });
      file.dataset(`${name}-unwritten`, undefined, { dtype: "int32", shape: [6, 10], chunks: [6, 10], filters });
      expect(`/${name}-unwritten`, { chunk_index: "single", data: new Int32Array(60) });
    }
  },

  implicit(file, expect) {
    const early = { chunks: [4, 3], allocationTime: "early" } as const;
    file.dataset("/full", ramp(60), { shape: [6, 10], ...early });
    expect("/full", { chunk_index: "implicit", data: ramp(60), facts: { stored_chunks: 8 } });
    file.dataset("/grows", ramp(60), { shape: [6, 10], maxShape: [12, 11], ...early });
    expect("/grows", { chunk_index: "implicit", maxshape: [12, 11], data: ramp(60) });
    file.dataset("/unwritten", undefined, { dtype: "int32", shape: [6, 10], ...early });
    expect("/unwritten", { chunk_index: "implicit", data: new Int32Array(60) });
  },

  fixedArray(file, expect) {
    for (const [name, filters] of Object.entries({ plain: [], deflate: [shuffle(), deflate()] })) {
      file.dataset(name, ramp(60), { shape: [6, 10], chunks: [4, 3], filters });
      expect(`/${name}`, { chunk_index: "farray", data: ramp(60), chunks: [4, 3], facts: { stored_chunks: 8 } });
      file.dataset(`${name}-grows`, ramp(60), { shape: [6, 10], maxShape: [20, 30], chunks: [4, 3], filters });
      expect(`/${name}-grows`, { chunk_index: "farray", maxshape: [20, 30], data: ramp(60) });
      file.dataset(`${name}-unwritten`, undefined, { dtype: "int32", shape: [60], chunks: [7], filters });
      expect(`/${name}-unwritten`, { chunk_index: "farray", data: new Int32Array(60) });
      // 5,000 chunks are five pages, of which the second and the fourth hold none.
      const paged = new Int32Array(10_000);
      const dataset = file.dataset(`${name}-paged`, undefined, {
        dtype: "int32",
        shape: [10_000],
        chunks: [2],
        filters,
      });
      for (const chunk of [0, 1023, 2048, 3000, 4999]) writeAt(dataset, paged, chunk * 2, 2);
      expect(`/${name}-paged`, { chunk_index: "farray", data: paged, facts: { stored_chunks: 5 } });
    }
  },

  extensibleArray(file, expect) {
    for (const [name, filters] of Object.entries({ plain: [], deflate: [shuffle(), deflate()] })) {
      for (const count of [0, 1, 4, 5, 40, 300, 1200]) {
        const path = `/${name}${count}`;
        file.dataset(path, ramp(count), { shape: [count], maxShape: [NO_LIMIT], chunks: [1], filters });
        expect(path, { chunk_index: "earray", data: ramp(count), facts: { stored_chunks: count } });
      }
      file.dataset(`${name}-second`, ramp(60), { shape: [6, 10], maxShape: [7, NO_LIMIT], chunks: [4, 3], filters });
      expect(`/${name}-second`, { chunk_index: "earray", maxshape: [7, null], data: ramp(60) });
      const middle = { shape: [2, 6, 5], maxShape: [3, NO_LIMIT, 10], chunks: [1, 2, 3], filters };
      file.dataset(`${name}-middle`, ramp(60), middle);
      expect(`/${name}-middle`, { chunk_index: "earray", maxshape: [3, null, 10], data: ramp(60) });
      const sparse = new Int32Array(90_000);
      const growing = { dtype: "int32", shape: [90_000], maxShape: [NO_LIMIT], chunks: [1], filters } as const;
      const dataset = file.dataset(`${name}-sparse`, undefined, growing);
      for (const chunk of [3, 17, 1500, 40_000, 89_999]) writeAt(dataset, sparse, chunk, 1);
      expect(`/${name}-sparse`, { chunk_index: "earray", data: sparse, facts: { stored_chunks: 5 } });
    }
  },

  extensibleArrayLarge: {
    styles: ["plain"],
    build(file, expect) {
      const data = Uint8Array.from({ length: 152_000 }, (_, i) => 1 + (i % 200));
      file.dataset("/large", data, { shape: [2, 76_000], maxShape: [2, NO_LIMIT], chunks: [1, 1] });
      expect("/large", { chunk_index: "earray", data, facts: { stored_chunks: 152_000 } });
    },
  },

  tree(file, expect) {
    for (const [name, filters] of Object.entries({ plain: [], deflate: [shuffle(), deflate()] })) {
      const both = { maxShape: [NO_LIMIT, NO_LIMIT], filters };
      for (const shape of [
        [0, 0],
        [6, 10],
        [40, 50],
      ] as const) {
        const count = shape[0] * shape[1];
        file.dataset(`${name}${count}`, ramp(count), { shape, chunks: [4, 3], ...both });
        expect(`/${name}${count}`, { chunk_index: "btree2", maxshape: [null, null], data: ramp(count) });
      }
      const deep = { shape: [90, 90], chunks: [1, 1], ...both };
      file.dataset(`${name}-deep`, ramp(8100), deep);
      expect(`/${name}-deep`, { chunk_index: "btree2", data: ramp(8100), facts: { stored_chunks: 8100 } });
    }
  },

  unfilteredEdges: {
    styles: ["plain", "shared"],
    build(file, expect) {
      const cases = { farray: [7, 11], earray: [NO_LIMIT, 11], btree2: [NO_LIMIT, NO_LIMIT] } as const;
      for (const [kind, maxShape] of Object.entries(cases)) {
        const options = { shape: [7, 11], maxShape, chunks: [4, 4], filters: [shuffle(), deflate()] };
        file.dataset(kind, ramp(77), { ...options, unfilteredEdges: true });
        expect(`/${kind}`, { chunk_index: kind as "farray", data: ramp(77), filters: [2, 1] });
      }
    },
  },
};

/** Writes the numbers from `start` + 1 on, in the dataset and in what is expected of it. */
function writeAt(dataset: DatasetBuilder, expected: Int32Array, start: number, count: number): void {
  const block = ramp(start + count).subarray(start);
  dataset.write([start], block);
  expected.set(block, start);
}
