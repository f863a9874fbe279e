import { readFileSync } from "node:fs";
import { type Dataset, File } from "jsfive";
import { type Job, measure, type Part, type Setting } from "./measure.ts";

// It takes files whole, gives datasets whole, and numbers as arrays of no particular kind.

function opened({ path }: Setting, name: string): File {
  const { buffer, byteOffset, length } = readFileSync(path(name));
  return new File(buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer, name);
}

function dataset(file: File, path: string): Dataset {
  return file.get(path) as Dataset;
}

interface NumberArray {
  from(values: Iterable<number>): ArrayBufferView;
}

function as(kind: NumberArray, values: unknown): ArrayBufferView {
  return Object.is((values as object).constructor, kind) ? (values as ArrayBufferView) : kind.from(values as number[]);
}

function whole(name: string, kind?: NumberArray): Job {
  return (setting) => async () => {
    const { value } = dataset(opened(setting, name), "x");
    return () => [kind === undefined ? (value as string[]) : as(kind, value)];
  };
}

function windows(name: string): Job {
  return (setting) => async () => {
    const value = dataset(opened(setting, name), "x").value as number[];
    const parts = setting.manifest.windows.map(([row, column]) => {
      const window = new Float32Array(64 * 64);
      for (let i = 0; i < 64; i++) {
        const start = (row + i) * 4096 + column;
        window.set(value.slice(start, start + 64), i * 64);
      }
      return window;
    });
    return () => parts;
  };
}

function walk(name: string, values: boolean): Job {
  return (setting) => async () => {
    const file = opened(setting, name);
    const numbers: number[] = [];
    const units: string[] = [];
    for (const group of file.keys) {
      const d = dataset(file, `${group}/d`);
      const { n, scale, unit } = d.attrs as { n: number; scale: number; unit: string };
      numbers.push(d.shape[0]!, Number(n), Number(scale));
      units.push(unit);
      if (values) numbers.push(...(d.value as number[]));
    }
    return () => [Float64Array.from(numbers), units];
  };
}

const attributes: Job = (setting) => async () => {
  const { attrs } = dataset(opened(setting, "j_attrs.h5"), "x");
  const values = Object.values(attrs);
  return () => {
    const numbers = values.filter((value) => typeof value === "number");
    return [Object.keys(attrs), Float64Array.from(numbers), values.filter((value) => typeof value === "string")];
  };
};

function matrixPart(file: File, name: string): number[] {
  return dataset(file, `X/${name}`).value as number[];
}

const matrixRows: Job = (setting) => async () => {
  const [from, to] = setting.manifest.s_rows;
  const file = opened(setting, "s_anndata.h5");
  const pointers = matrixPart(file, "indptr").slice(from, to + 1);
  const [start, end] = [Number(pointers[0]), Number(pointers.at(-1))];
  const [data, indices] = ["data", "indices"].map((name) => matrixPart(file, name).slice(start, end));
  return () => [BigInt64Array.from(pointers, BigInt), as(Float32Array, data), as(Int32Array, indices)];
};

const matrix: Job = (setting) => async () => {
  const file = opened(setting, "s_anndata.h5");
  const [data, indices, pointers] = ["data", "indices", "indptr"].map((name) => matrixPart(file, name));
  return () => [as(Float32Array, data), as(Int32Array, indices), BigInt64Array.from(pointers!, BigInt)];
};

function rows(name: string): Job {
  return (setting) => async () => {
    const { dset, rows } = setting.manifest.t;
    const value = dataset(opened(setting, name), dset).value as number[];
    const part = value.slice(rows[0] * 1024, rows[1] * 1024);
    return () => [as(Float32Array, part)];
  };
}

const listRoot: Job = (setting) => async () => {
  const { keys } = opened(setting, "t_earliest.h5");
  return (): Part[] => [keys];
};

await measure({
  a: whole("a_contiguous_f64.h5", Float64Array),
  b_earliest: whole("b_earliest.h5", Float32Array),
  b_latest: whole("b_latest.h5", Float32Array),
  c_earliest: whole("c_earliest.h5", Int32Array),
  c_latest: whole("c_latest.h5", Int32Array),
  d_earliest: windows("b_earliest.h5"),
  d_latest: windows("b_latest.h5"),
  e_contig: whole("e_contig.h5"),
  e_chunk: whole("e_chunk.h5"),
  f: whole("f_fixed.h5"),
  h_earliest: walk("h_earliest.h5", false),
  h_latest: walk("h_latest.h5", false),
  hd_earliest: walk("h_earliest.h5", true),
  hd_latest: walk("h_latest.h5", true),
  j: attributes,
  k: (setting) => async () => {
    const { value } = dataset(opened(setting, "k_i64.h5"), "x");
    return () => [BigInt64Array.from(value as number[], BigInt)];
  },
  m: whole("m_fletcher.h5", Float64Array),
  q: whole("q_be_f32.h5", Float32Array),
  s_slice: matrixRows,
  s_full: matrix,
  t_earliest: rows("t_earliest.h5"),
  t_paged: rows("t_paged.h5"),
  t_open: listRoot,
});
