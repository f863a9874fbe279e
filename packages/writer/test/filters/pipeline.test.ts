import { float32le, float64le, int32le, vlenStringType } from "@h5/datatypes";
import { applyDecoders, applyEncoders, defaultFilters, type EncodedChunk } from "@h5/filters";
import { InvalidArgumentError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import type { ChunkFilter, FilteredDataset } from "../../src/filters/chunk-filter.ts";
import { deflate } from "../../src/filters/deflate.ts";
import { fletcher32 } from "../../src/filters/fletcher32.ts";
import { lzf } from "../../src/filters/lzf.ts";
import { nbit } from "../../src/filters/nbit.ts";
import { type PlannedPipeline, planPipeline } from "../../src/filters/pipeline.ts";
import { scaleOffset } from "../../src/filters/scale-offset.ts";
import { shuffle } from "../../src/filters/shuffle.ts";
import { szip } from "../../src/filters/szip.ts";
import { paramsCases, typeNamed } from "./cases.ts";

const integers: FilteredDataset = { datatype: int32le, chunkShape: [10, 10], fill: new Uint8Array(4) };
const floats: FilteredDataset = { datatype: float32le, chunkShape: [100], fill: undefined };
const strings: FilteredDataset = { datatype: vlenStringType("utf8"), chunkShape: [4], fill: new Uint8Array(16) };
const packedIntegers = scaleOffset({ kind: "integer" });
const roundedFloats = scaleOffset({ kind: "float", decimals: 2 });

async function encoded({ filters, encoders }: PlannedPipeline, chunk: Uint8Array): Promise<EncodedChunk> {
  return applyEncoders(chunk, filters, encoders);
}

async function roundTrip(pipeline: PlannedPipeline, chunk: Uint8Array): Promise<Uint8Array> {
  const { bytes, filterMask } = await encoded(pipeline, chunk);
  const sizes = { expectedBytes: chunk.length, maxBytes: 1 << 20 };
  return applyDecoders(bytes, pipeline.filters, filterMask, defaultFilters, sizes);
}

/** Bytes with many repetitions, of a whole chunk. */
function chunkOf({ datatype, chunkShape }: FilteredDataset): Uint8Array {
  const size = chunkShape.reduce((product, dim) => product * dim, datatype.size);
  return Uint8Array.from({ length: size }, (_, i) => (i % 7 === 0 ? (i * 5) & 31 : i % datatype.size));
}

describe("planPipeline", () => {
  it("keeps the order, and says which filters may be left out", () => {
    const { filters } = planPipeline([shuffle(), deflate(4), fletcher32()], integers);
    expect(filters).toEqual([
      { id: 2, name: "shuffle", flags: 1, optional: true, params: [4] },
      { id: 1, name: "deflate", flags: 1, optional: true, params: [4] },
      { id: 3, name: "fletcher32", flags: 0, optional: false, params: [] },
    ]);
    expect(planPipeline([], integers)).toEqual({ filters: [], encoders: [] });
  });

  it("takes a filter of the caller's own, which is asked for its parameters", () => {
    const encoder = { id: 32015, name: "zstd", encode: (bytes: Uint8Array) => bytes };
    const own: ChunkFilter = { encoder, optional: false, params: ({ chunkShape }) => [...chunkShape] };
    expect(planPipeline([own], integers)).toEqual({
      filters: [{ id: 32015, name: "zstd", flags: 0, optional: false, params: [10, 10] }],
      encoders: [encoder],
    });
  });

  it.each([
    ["shuffle before scale-offset", [shuffle(), packedIntegers], integers, "must be the first filter"],
    ["deflate before scale-offset", [deflate(), packedIntegers], integers, "must be the first filter"],
    ["shuffle before nbit", [shuffle(), nbit()], integers, "must be the first filter"],
    ["scale-offset twice", [packedIntegers, packedIntegers], integers, "must be the first filter"],
    ["rounded floats with a checksum", [roundedFloats, fletcher32()], floats, "do not go with fletcher32"],
    ["a checksum of variable-length data", [fletcher32()], strings, "fletcher32 filter: variable-length data take"],
    [
      "scale-offset of variable-length data",
      [packedIntegers],
      strings,
      "takes integers of 1, 2, 4 and 8 bytes, got st",
    ],
    ["nbit of variable-length data", [nbit()], strings, "nbit filter: it packs numbers"],
    ["szip of variable-length data", [szip()], strings, "szip filter: it codes numbers"],
    ["33 filters", Array.from({ length: 33 }, () => deflate(1)), integers, "expected at most 32 filters, got 33"],
  ])("refuses %s", (_, filters, dataset, message) => {
    expect(() => planPipeline(filters, dataset)).toThrow(InvalidArgumentError);
    expect(() => planPipeline(filters, dataset)).toThrow(message);
  });

  it("takes integers with scale-offset and a checksum", async () => {
    const pipeline = planPipeline([packedIntegers, shuffle(), deflate(), fletcher32()], integers);
    const chunk = new Uint8Array(Int32Array.from({ length: 100 }, (_, i) => 1000 - i).buffer);
    expect(await roundTrip(pipeline, chunk)).toEqual(chunk);
  });

  it("filters the heap references of variable-length data as elements of 16 bytes", async () => {
    const pipeline = planPipeline([shuffle(), lzf(), deflate()], strings);
    expect(pipeline.filters.map(({ params }) => params)).toEqual([[16], [4, 0x0105, 64], [6]]);
    expect(await roundTrip(pipeline, chunkOf(strings))).toEqual(chunkOf(strings));
  });
});

describe("a planned pipeline", () => {
  const lossless = paramsCases.filter(({ name, message, filters }) => {
    const few = filters().length < 20 && !/^(nbit|scale|many)/.test(name);
    return few && message !== null && !["szip-f16", "szip-array-of-arrays"].includes(name);
  });

  it.each(lossless.map((c) => [c.name, c] as const))("gives chunks back: %s", async (_, { filters, dataset }) => {
    const chunk = chunkOf(dataset);
    expect(await roundTrip(planPipeline(filters(), dataset), chunk)).toEqual(chunk);
  });

  const packed = paramsCases.filter(({ name, message }) => /^(nbit|many)/.test(name) && message !== null);

  it.each(packed.map((c) => [c.name, c] as const))(
    "gives the bits in use back: %s",
    async (_, { filters, dataset }) => {
      const pipeline = planPipeline(filters(), dataset);
      const used = await roundTrip(pipeline, chunkOf(dataset));
      expect(await roundTrip(pipeline, used)).toEqual(used);
      expect(await roundTrip(pipeline, new Uint8Array(used.length).fill(255))).not.toEqual(new Uint8Array(used.length));
    },
  );

  it.each([
    ["integers over the whole range", packedIntegers, integers, Int32Array.from([-2147483648, 2147483647])],
    ["integers of more bits than asked for", scaleOffset({ kind: "integer", bits: 3 }), integers, Int32Array.of(1, 9)],
    ["floats too far apart", roundedFloats, floats, Float32Array.of(-1e30, 1e30)],
  ])("leaves scale-offset out of chunks with %s", async (_, filter, dataset, values) => {
    const chunk = new Uint8Array(400);
    chunk.set(new Uint8Array(values.buffer));
    const { bytes, filterMask } = await encoded(planPipeline([filter, shuffle()], dataset), chunk);
    expect(filterMask).toBe(1);
    expect(bytes).toHaveLength(400);
  });

  it("leaves nbit out of chunks without unused bits, and szip out of chunks with bits above a pixel's", async () => {
    const chunk = new Uint8Array(400).fill(3);
    expect(await encoded(planPipeline([nbit()], integers), chunk)).toEqual({ bytes: chunk, filterMask: 1 });
    const twelveBits: FilteredDataset = { datatype: typeNamed("u2-12"), chunkShape: [8], fill: undefined };
    const shuffled = planPipeline([shuffle(), szip({ pixelsPerBlock: 4 })], twelveBits);
    const values = new Uint8Array(Uint16Array.of(0x123, 0x456, 0xfff, 7, 8, 9, 10, 2000).buffer);
    expect((await encoded(shuffled, values)).filterMask).toBe(2);
    expect(await roundTrip(shuffled, values)).toEqual(values);
  });

  it.each([float32le, float64le])("keeps the decimals asked for", async (datatype) => {
    const given = Array.from({ length: 100 }, (_, i) => Math.sin(i) * 40);
    const array = datatype.size === 4 ? Float32Array.from(given) : Float64Array.from(given);
    const dataset = { datatype, chunkShape: [100], fill: new Uint8Array(datatype.size) };
    const pipeline = planPipeline([roundedFloats], dataset);
    const chunk = new Uint8Array(array.buffer);
    expect((await encoded(pipeline, chunk)).bytes.length).toBeLessThan(chunk.length / 2);
    const kept = (await roundTrip(pipeline, chunk)).slice().buffer;
    const values = datatype.size === 4 ? new Float32Array(kept) : new Float64Array(kept);
    for (const [i, value] of values.entries()) expect(Math.abs(value - given[i]!)).toBeLessThanOrEqual(0.00501);
  });
});
