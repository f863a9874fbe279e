import {
  type ChunkFilter,
  type DatasetBuilder,
  type DatasetOptions,
  deflate,
  type FileBuilder,
  fletcher32,
  lzf,
  nbit,
  scaleOffset,
  shuffle,
} from "@h5/writer";
import fc from "fast-check";
import { NdArray, product } from "./nd-array.ts";

/** A value as the model has it, and as both readings are brought to. */
export type Value = number | bigint | string | { readonly [member: string]: Value };

/** Filters by what they are called here. */
const filters = {
  shuffle: () => shuffle(),
  deflate1: () => deflate(1),
  deflate9: () => deflate(9),
  lzf: () => lzf(),
  fletcher32: () => fletcher32(),
  nbit: () => nbit(),
  scaleOffset: () => scaleOffset({ kind: "integer" }),
} as const satisfies Readonly<Record<string, () => ChunkFilter>>;

export type FilterName = keyof typeof filters;

const optional: readonly FilterName[] = ["shuffle", "deflate1", "deflate9", "lzf"];
/** They come first, and one alone. */
const packing: readonly FilterName[] = ["nbit", "scaleOffset"];

/** A type of elements, with values of it. */
interface Kind {
  readonly dtype: NonNullable<DatasetOptions["dtype"]>;
  readonly values: fc.Arbitrary<Value>;
  /** What elements are that nobody wrote. */
  readonly zero: Value;
  readonly filters: readonly FilterName[];
}

function integers(dtype: string, bits: number, signed: boolean): Kind {
  const least = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const most = least + 2n ** BigInt(bits) - 1n;
  const values = fc.oneof(fc.constantFrom(least, most, 0n), fc.bigInt(least, most), fc.bigInt(0n, 9n));
  const common = { dtype, filters: [...optional, "fletcher32", ...packing] } as const;
  return bits === 64 ? { ...common, values, zero: 0n } : { ...common, values: values.map(Number), zero: 0 };
}

const text = (maxLength: number, unit: "grapheme" | "grapheme-ascii") =>
  fc.string({ maxLength, unit }).filter((value) => !value.includes("\0"));

const kinds: Readonly<Record<string, Kind>> = {
  int8: integers("int8", 8, true),
  uint16: integers("uint16", 16, false),
  int32be: integers(">i4", 32, true),
  int64: integers("int64", 64, true),
  uint64: integers("uint64", 64, false),
  float32: { dtype: "float32", values: fc.float(), zero: 0, filters: [...optional, "fletcher32", "nbit"] },
  float64be: { dtype: ">f8", values: fc.double(), zero: 0, filters: [...optional, "fletcher32"] },
  fixed: { dtype: "string:4", values: text(4, "grapheme-ascii"), zero: "", filters: [...optional, "fletcher32"] },
  text: { dtype: "string", values: text(12, "grapheme"), zero: "", filters: optional },
  rows: {
    dtype: { x: "int16", y: "float64", s: "string" },
    values: fc.record({ x: fc.integer({ min: -32768, max: 32767 }), y: fc.double(), s: text(5, "grapheme") }),
    zero: { x: 0, y: 0, s: "" },
    filters: optional,
  },
};

/** A change to a dataset, said so that it means something whatever came before: numbers are taken modulo what is there. */
interface Change {
  readonly what: "append" | "resize" | "write" | "writeChunk";
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** A dataset to be written. */
export interface DatasetSpec {
  readonly kind: string;
  readonly shape: readonly number[];
  readonly maxShape: readonly number[];
  readonly chunks: readonly number[] | undefined;
  readonly filters: readonly FilterName[];
  readonly early: boolean;
  readonly compact: boolean;
  readonly unfilteredEdges: boolean;
  readonly hasData: boolean;
  readonly fill: Value | undefined;
  /** Values are taken from here, over and over. */
  readonly pool: readonly Value[];
  readonly changes: readonly Change[];
}

const sizes = fc.array(fc.nat(60), { minLength: 3, maxLength: 3 });
const changes = fc.record({ what: fc.constantFrom("append", "resize", "write", "writeChunk"), a: sizes, b: sizes });

/** Datasets of any kind, filtered by nothing of `without`. */
export function datasets(without: readonly FilterName[] = []): fc.Arbitrary<DatasetSpec> {
  return fc
    .record({ kind: fc.constantFrom(...Object.keys(kinds)), rank: fc.integer({ min: 0, max: 3 }) })
    .chain(({ kind, rank }) => {
      const { values, filters: possible } = kinds[kind]!;
      const axes = <T>(each: fc.Arbitrary<T>) => fc.array(each, { minLength: rank, maxLength: rank });
      const often = <T>(each: fc.Arbitrary<T>) => fc.option(each, { nil: undefined });
      return fc.record({
        kind: fc.constant(kind),
        shape: axes(fc.nat(9)),
        room: often(axes(fc.constantFrom(0, 0, 5, Infinity))),
        chunks: often(axes(fc.integer({ min: 1, max: 5 }))),
        filters: fc.subarray(possible.filter((name) => !without.includes(name))),
        early: fc.boolean(),
        compact: fc.boolean(),
        unfilteredEdges: fc.boolean(),
        hasData: fc.boolean(),
        fill: often(values),
        pool: fc.array(values, { minLength: 1, maxLength: 20 }),
        changes: fc.array(changes, { maxLength: 12 }),
      });
    })
    .map(settled);
}

/** What goes together: chunks where something needs them, nothing that needs them where there are no axes. */
function settled({
  room,
  ...spec
}: Omit<DatasetSpec, "maxShape"> & { room: readonly number[] | undefined }): DatasetSpec {
  const { shape } = spec;
  const plain = { ...spec, maxShape: shape, filters: [], unfilteredEdges: false };
  if (spec.chunks === undefined || shape.length === 0) return { ...plain, chunks: undefined };
  const maxShape = shape.map((size, d) => size + (room?.[d] ?? 0));
  const first = packing.filter((name) => spec.filters.includes(name)).slice(0, 1);
  const filters = [...first, ...spec.filters.filter((name) => !packing.includes(name))];
  const chunks = spec.chunks.map((size, d) => (shape[d] === 0 ? size : Math.min(size, maxShape[d]!)));
  return { ...spec, maxShape, chunks, filters, compact: false };
}

/** Writes a dataset to the file and to a plain array. */
export function writeDataset(file: FileBuilder, path: string, spec: DatasetSpec, earliest: boolean): NdArray<Value> {
  const { shape, maxShape, chunks, pool, fill } = spec;
  const kind = kinds[spec.kind]!;
  const options: DatasetOptions = {
    dtype: kind.dtype,
    shape,
    fillValue: fill,
    ...(spec.early ? { allocationTime: "early" } : {}),
    ...(spec.compact ? { layout: "compact" } : {}),
    ...(chunks === undefined
      ? {}
      : {
          chunks,
          maxShape,
          filters: spec.filters.map((name) => filters[name]()),
          unfilteredEdges: spec.unfilteredEdges && !earliest,
        }),
  };
  const model = new NdArray(shape, fill ?? kind.zero);
  const data = valuesOf(pool, 0, product(shape));
  const builder = file.dataset(path, spec.hasData ? dataOf(data, shape) : undefined, options);
  if (spec.hasData)
    model.write(
      shape.map(() => 0),
      shape,
      data,
    );
  spec.changes.forEach((change, i) => {
    apply(change, spec, i + 1, builder, model);
  });
  return model;
}

function dataOf(values: readonly Value[], shape: readonly number[]): unknown {
  return shape.length === 0 ? values[0] : values;
}

function valuesOf(pool: readonly Value[], first: number, count: number): Value[] {
  return Array.from({ length: count }, (_, i) => pool[(first + i) % pool.length]!);
}

function apply(
  { what, a, b }: Change,
  spec: DatasetSpec,
  i: number,
  builder: DatasetBuilder,
  model: NdArray<Value>,
): void {
  const { maxShape, chunks, pool } = spec;
  const { shape } = model;
  const block = (size: readonly number[]) => valuesOf(pool, i, product(size));
  if (what === "write" && !shape.includes(0) && shape.length > 0) {
    const start = shape.map((size, d) => a[d]! % size);
    const size = shape.map((extent, d) => 1 + (b[d]! % (extent - start[d]!)));
    builder.write(start, block(size), { shape: size });
    model.write(start, size, block(size));
  }
  if (chunks === undefined) return;
  if (what === "resize") {
    const size = shape.map((_, d) => a[d]! % (Math.min(maxShape[d]!, 12) + 1));
    builder.resize(size);
    model.resize(size);
  } else if (what === "append" && maxShape.includes(Infinity)) {
    const grows = maxShape.map((size) => size === Infinity);
    const size = shape.map((extent, d) => (grows[d] ? a[d]! % 4 : extent));
    const start = shape.map((extent, d) => (grows[d] ? extent : 0));
    builder.append(block(size), { shape: size });
    model.resize(start.map((first, d) => first + size[d]!));
    model.write(start, size, block(size));
  } else if (what === "writeChunk" && !shape.includes(0)) {
    const at = shape.map((extent, d) => a[d]! % Math.ceil(extent / chunks[d]!));
    builder.writeChunk(at, block(chunks));
    model.write(
      at.map((c, d) => c * chunks[d]!),
      chunks,
      block(chunks),
    );
  }
}
