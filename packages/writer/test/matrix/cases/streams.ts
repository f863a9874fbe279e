import { deflate, fletcher32, shuffle } from "../../../src/index.ts";
import type { MatrixCases } from "../matrix-case.ts";
import { ramp } from "./layouts.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Data that comes while the file is written. */
export const streams: MatrixCases = {
  blocks(file, expect) {
    file.dataset("/contiguous", blocks(), { dtype: "int32", shape: [50, 4] });
    expect("/contiguous", { layout: "contiguous", data: ramp(200) });
    for (const [name, filters] of Object.entries({ plain: [], filtered: [shuffle(), deflate(), fletcher32()] })) {
      file.dataset(`/${name}`, blocks(), { dtype: "int32", shape: [50, 4], chunks: [8, 3], filters });
      expect(`/${name}`, { layout: "chunked", data: ramp(200), facts: { stored_chunks: 14 } });
    }
  },

  growing(file, expect) {
    const options = { dtype: "int32", shape: [0, 4], maxShape: [NO_LIMIT, 4], chunks: [8, 4] } as const;
    file.dataset("/growing", blocks(), { ...options, filters: [deflate()] });
    expect("/growing", { shape: [50, 4], maxshape: [null, 4], data: ramp(200), facts: { stored_chunks: 7 } });
  },

  chunks(file, expect) {
    async function* scattered() {
      yield { chunk: [3], data: ramp(10) };
      yield { chunk: [0], data: ramp(10) };
    }
    file.dataset("/scattered", scattered(), {
      dtype: "int32",
      shape: [40],
      chunks: [10],
      filters: [shuffle(), deflate()],
    });
    const data = new Int32Array(40);
    data.set(ramp(10), 0);
    data.set(ramp(10), 30);
    expect("/scattered", { data, facts: { stored_chunks: 2 } });
  },
};

/** 1 to 200 in blocks of 10 rows of 4. */
async function* blocks() {
  for (let first = 0; first < 200; first += 40) yield ramp(200).subarray(first, first + 40);
}
