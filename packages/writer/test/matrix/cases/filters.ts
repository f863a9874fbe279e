import {
  compoundType,
  float32be,
  float32le,
  int16be,
  integerType,
  uint8,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import { type ChunkFilter, deflate, fletcher32, lzf, nbit, scaleOffset, shuffle, szip } from "../../../src/index.ts";
import type { MatrixCases } from "../matrix-case.ts";
import { ramp } from "./layouts.ts";

const shape = [20, 30];
const chunks = [8, 8];
const data = Int32Array.from({ length: 600 }, (_, i) => (i % 90) * 3 - 40);
/** Bytes that no filter makes smaller. */
const noise = Int32Array.from({ length: 600 }, (_, i) => Math.imul(i + 1, 2654435761));

/** Filters in legal orders; the numbers are those of the pipeline. LZF, which libhdf5 has no code for, stands apart. */
const pipelines: Readonly<Record<string, readonly ChunkFilter[]>> = {
  deflate: [deflate()],
  deflate9: [deflate(9)],
  shuffle: [shuffle()],
  fletcher32: [fletcher32()],
  szip: [szip()],
  szipEc: [szip({ coding: "ec", pixelsPerBlock: 8 })],
  nbit: [nbit()],
  scaleOffset: [scaleOffset({ kind: "integer" })],
  scaleOffset9: [scaleOffset({ kind: "integer", bits: 9 })],
  shuffleDeflate: [shuffle(), deflate(4)],
  deflateShuffle: [deflate(), shuffle()],
  all: [shuffle(), deflate(), fletcher32()],
  checkedFirst: [fletcher32(), shuffle(), deflate()],
  nbitDeflate: [nbit(), shuffle(), deflate(), fletcher32()],
  scaleOffsetDeflate: [scaleOffset({ kind: "integer" }), deflate(), fletcher32()],
  szipChecked: [shuffle(), szip(), fletcher32()],
};

export const filters: MatrixCases = {
  pipelines(file, expect) {
    for (const [name, pipeline] of Object.entries(pipelines)) {
      const ids = pipeline.map(({ encoder }) => encoder.id);
      for (const [values, numbers] of Object.entries({ data, noise })) {
        for (const maxShape of [shape, [Number.POSITIVE_INFINITY, 30], [Number.POSITIVE_INFINITY, 40]]) {
          const path = `/${name}-${values}-${maxShape.join("-")}`;
          file.dataset(path, numbers, { shape, maxShape, chunks, filters: pipeline });
          expect(path, { data: numbers, filters: ids, facts: { stored_chunks: 12 } });
        }
      }
      file.dataset(`/${name}-single`, data, { shape, chunks: shape, filters: pipeline });
      expect(`/${name}-single`, { data, filters: ids, chunk_index: "single" });
    }
  },

  lzf: {
    untold: true,
    build(file, expect) {
      for (const [name, pipeline] of Object.entries({ lzf: [lzf()], shuffleLzf: [shuffle(), lzf(), fletcher32()] })) {
        const ids = pipeline.map(({ encoder }) => encoder.id);
        for (const [values, numbers] of Object.entries({ data, noise })) {
          file.dataset(`/${name}-${values}`, numbers, { shape, chunks, filters: pipeline });
          expect(`/${name}-${values}`, { data: numbers, filters: ids, facts: { stored_chunks: 12 } });
        }
      }
    },
  },

  /** Each filter on the types it is made for. */
  types(file, expect) {
    for (const size of [1, 2, 4, 8]) {
      for (const order of ["LE", "BE"] as const) {
        for (const signed of [true, false]) {
          const dtype = integerType(size, signed, order);
          const least = signed ? -(2n ** BigInt(size * 8 - 1)) : 0n;
          const most = least + 2n ** BigInt(size * 8) - 1n;
          const some = [3n, 0n, 17n, 90n, least, most, 5n, 5n, 9n, 1n].map((v) => (size === 8 ? v : Number(v)));
          for (const [name, filter] of Object.entries({
            scale: scaleOffset({ kind: "integer" }),
            nbit: nbit(),
            szip: szip({ pixelsPerBlock: 2 }),
          })) {
            const path = `/${name}-${signed ? "i" : "u"}${size}${order}`;
            file.dataset(path, some, { dtype, chunks: [4], filters: [filter] });
            expect(path, { data: some });
          }
        }
      }
    }
    const floats = [0.5, -1.25, 1000.75, 0, 3.5];
    for (const dtype of ["<f4", ">f4", "<f8", ">f8"]) {
      const pipeline = [scaleOffset({ kind: "float", decimals: 2 }), deflate()];
      file.dataset(`/float-${dtype}`, floats, { dtype, chunks: [4], filters: pipeline });
      expect(`/float-${dtype}`, { data: floats });
    }
    const odd = { ...integerType(4, true, "BE"), precision: 11, offset: 9 };
    const record = compoundType([
      { name: "odd", type: odd },
      { name: "f", type: float32le },
    ]);
    const rows = [
      { odd: -1024, f: 0.5 },
      { odd: 1023, f: -2 },
      { odd: 7, f: 8 },
    ];
    file.dataset("/nbit-odd", [-1024, 1023, 5], { dtype: odd, chunks: [2], filters: [nbit()] });
    expect("/nbit-odd", { dtype: { precision: 11, offset: 9 }, data: [-1024, 1023, 5] });
    file.dataset("/nbit-compound", rows, { dtype: record, chunks: [2], filters: [nbit()] });
    expect("/nbit-compound", { dtype: { members: [{ type: { precision: 11 } }, {}] }, data: rows });
    const pair = compoundType([
      { name: "a", type: int16be },
      { name: "b", type: uint8 },
    ]);
    const pairs = Array.from({ length: 50 }, (_, i) => ({ a: i - 9, b: i % 7 }));
    file.dataset("/shuffle-compound", pairs, { dtype: pair, chunks: [16], filters: [shuffle(), deflate()] });
    expect("/shuffle-compound", { dtype: { members: [{ type: { order: "BE" } }, {}] }, data: pairs });
    file.dataset("/szip-f4", [0.5, 1, 2, 3, -4], {
      dtype: float32be,
      chunks: [4],
      filters: [szip({ pixelsPerBlock: 4 })],
    });
    expect("/szip-f4", { data: [0.5, 1, 2, 3, -4] });
  },

  fillAndScale(file, expect) {
    const values = Int16Array.of(5, -1, 9, -1, 30, 7, -1, -1);
    file.dataset("/user", values, { chunks: [4], fillValue: -1, filters: [scaleOffset({ kind: "integer" })] });
    expect("/user", { data: values });
    file.dataset("/none", values, { chunks: [4], fillValue: null, filters: [scaleOffset({ kind: "integer" })] });
    expect("/none", { data: values });
    const floats = Float32Array.of(1.5, 99, 2.25, 99, 99, 3);
    const options = { chunks: [3], fillValue: 99, filters: [scaleOffset({ kind: "float", decimals: 3 })] } as const;
    file.dataset("/float", floats, options);
    expect("/float", { data: floats });
  },

  sequences(file, expect) {
    const strings = Array.from({ length: 40 }, (_, i) => `value ${i % 11}`);
    const options = { chunks: [16], filters: [shuffle(), deflate()] };
    file.dataset("/strings", strings, { ...options, dtype: vlenStringType() });
    expect("/strings", { data: strings, filters: [2, 1] });
    const lists = Array.from({ length: 40 }, (_, i) => [i, i + 1]);
    file.dataset("/lists", lists, { ...options, dtype: vlenType(uint8), maxShape: [Number.POSITIVE_INFINITY] });
    expect("/lists", { data: lists, filters: [2, 1] });
  },

  masks(file, expect) {
    const kinds = {
      single: { shape: [10], chunks: [10] },
      farray: { shape: [10], chunks: [4] },
      earray: { shape: [10], chunks: [4], maxShape: [Number.POSITIVE_INFINITY] },
      btree2: { shape: [10, 1], chunks: [4, 1], maxShape: [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] },
    };
    for (const [kind, options] of Object.entries(kinds)) {
      const dataset = file.dataset(kind, ramp(10), { ...options, filters: [shuffle(), deflate()] });
      const at = kind === "single" ? [0] : kind === "btree2" ? [1, 0] : [1];
      dataset.setFilterMask(at, 2);
      const first = at.map((c, d) => c * options.chunks[d]!).join();
      expect(`/${kind}`, { data: ramp(10), chunk_index: kind as "single", facts: { masks: { [first]: 2 } } });
    }
  },

  rawChunks(file, expect) {
    const raw = new Uint8Array(ramp(4).buffer);
    for (const [name, maxShape] of Object.entries({ fixed: [8], grows: [Number.POSITIVE_INFINITY] })) {
      const options = { dtype: "int32", shape: [8], maxShape, chunks: [4], filters: [shuffle(), deflate()] } as const;
      file
        .dataset(name, undefined, options)
        .writeRawChunk([1], raw, 3)
        .writeChunk([0], Int32Array.of(9, 8, 7, 6));
      expect(`/${name}`, { data: [9, 8, 7, 6, 1, 2, 3, 4], facts: { stored_chunks: 2, masks: { 4: 3 } } });
    }
    file.dataset("/plain", undefined, { dtype: "int32", shape: [8], chunks: [4] }).writeRawChunk([1], raw);
    expect("/plain", { data: [0, 0, 0, 0, 1, 2, 3, 4], facts: { stored_chunks: 1 } });
  },

  empty(file, expect) {
    for (const [name, pipeline] of Object.entries(pipelines)) {
      const options = {
        dtype: "int32",
        shape: [0],
        maxShape: [Number.POSITIVE_INFINITY],
        chunks: [8],
        filters: pipeline,
      } as const;
      file.dataset(name, undefined, options);
      expect(`/${name}`, { data: [], filters: pipeline.map(({ encoder }) => encoder.id) });
    }
  },
};
