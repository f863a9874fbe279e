import { compoundType, float64le, vlenStringType } from "@h5/datatypes";
import type { MatrixCases } from "../matrix-case.ts";

const ranks = Array.from({ length: 32 }, (_, i) => i + 1);

export const spaces: MatrixCases = {
  null(file, expect) {
    for (const dtype of ["float64", "int8", "string", "bool", "reference"] as const) {
      file.dataset(`/${dtype}`, null, { dtype }).attribute("a", null, { dtype });
      expect(`/${dtype}`, { shape: null, data: null, attrs: { a: { shape: null, data: null } } });
      file.dataset(`/${dtype}-early`, null, { dtype, allocationTime: "early" });
      expect(`/${dtype}-early`, { shape: null, data: null });
      file.dataset(`/${dtype}-compact`, null, { dtype, layout: "compact" });
      expect(`/${dtype}-compact`, { shape: null, layout: "compact", data: null });
    }
  },

  scalar(file, expect) {
    const values = { number: 0.5, bigint: -(2n ** 60n), string: "text", boolean: true };
    for (const [name, value] of Object.entries(values)) {
      const data = value === true ? [1] : [value];
      file.dataset(name, value).attribute("a", value);
      expect(`/${name}`, { shape: [], maxshape: [], data, attrs: { a: { shape: [], data } } });
    }
    const pair = compoundType([
      { name: "x", type: float64le },
      { name: "s", type: vlenStringType() },
    ]);
    file.dataset("/compound", { x: 1, s: "one" }, { dtype: pair, shape: [] });
    expect("/compound", { shape: [], data: [{ x: 1, s: "one" }] });
    file.dataset("/compact", 7, { dtype: "int16", layout: "compact" });
    expect("/compact", { shape: [], layout: "compact", data: [7] });
  },

  zeroSize(file, expect) {
    const shapes: Record<string, number[]> = { vector: [0], middle: [3, 0, 2], last: [5, 0] };
    for (const [name, shape] of Object.entries(shapes)) {
      file.dataset(name, new Int32Array(0), { shape }).attribute("a", new Float64Array(0), { shape });
      expect(`/${name}`, { shape, data: [], attrs: { a: { shape, data: [] } } });
      file.dataset(`${name}-compact`, new Int32Array(0), { shape, layout: "compact" });
      expect(`/${name}-compact`, { shape, layout: "compact", data: [] });
      const grows = { shape, maxShape: shape.map(() => Number.POSITIVE_INFINITY), chunks: shape.map(() => 2) };
      file.dataset(`${name}-grows`, new Int32Array(0), grows);
      expect(`/${name}-grows`, { shape, maxshape: shape.map(() => null), data: [] });
    }
    file.dataset("/strings", [], { dtype: "string" });
    expect("/strings", { shape: [0], data: [] });
    file.dataset("/blocks", { async *[Symbol.asyncIterator]() {} }, { dtype: "int16", shape: [0] });
    expect("/blocks", { shape: [0], layout: "contiguous", data: [] });
  },

  ranks(file, expect) {
    for (const rank of ranks) {
      const shape: number[] = ranks.slice(0, rank).map((axis) => (axis === 1 || axis === rank || axis === 17 ? 2 : 1));
      const count = shape.reduce((product, size) => product * size, 1);
      const data = Uint16Array.from({ length: count }, (_, i) => i + rank);
      file.dataset(`/contiguous${rank}`, data, { shape });
      expect(`/contiguous${rank}`, { shape, data });
      file.dataset(`/compact${rank}`, data, { shape, layout: "compact" });
      expect(`/compact${rank}`, { shape, data });
      file.dataset(`/chunked${rank}`, data, { shape, chunks: shape.map(() => 1) });
      expect(`/chunked${rank}`, { shape, data, chunks: shape.map(() => 1) });
      const maxShape = shape.map((size, axis) => (axis === rank - 1 ? Number.POSITIVE_INFINITY : size));
      file.dataset(`/grows${rank}`, data, { shape, chunks: shape.map(() => 1), maxShape });
      expect(`/grows${rank}`, { shape, data });
      file.dataset(`/all${rank}`, data, {
        shape,
        chunks: shape.map(() => 1),
        maxShape: shape.map(() => Number.POSITIVE_INFINITY),
      });
      expect(`/all${rank}`, { shape, data });
    }
  },

  largeExtents(file, expect) {
    const large = 2 ** 40;
    file.dataset("/late", undefined, { dtype: "float32", shape: [large] });
    expect("/late", { shape: [large], layout: "contiguous" });
    file
      .dataset("/chunked", undefined, {
        dtype: "uint8",
        shape: [large],
        maxShape: [Number.POSITIVE_INFINITY],
        chunks: [2 ** 20],
      })
      .write([0], Uint8Array.of(1, 2, 3));
    expect("/chunked", { shape: [large], chunks: [2 ** 20], facts: { stored_chunks: 1 } });
  },
};
