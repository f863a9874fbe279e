import { isH5Error } from "@h5/framing";
import { describe, expect, it } from "vitest";
import type { DecodeOptions, Decoder, Encoder } from "../src/filter.ts";
import { fletcher32Decoder, fletcher32Encoder } from "../src/fletcher32.ts";
import {
  applyDecoders,
  applyDecodersSync,
  applyEncoders,
  defaultFilters,
  missingFilter,
  type PipelineFilter,
} from "../src/index.ts";
import { lzfEncoder } from "../src/lzf.ts";
import { shuffleDecoder, shuffleEncoder } from "../src/shuffle.ts";

function entry(id: number, params: readonly number[] = [], optional = false): PipelineFilter {
  return { id, flags: optional ? 1 : 0, optional, params };
}

/** A decoder that appends its parameter, which shows the order. */
const append: Decoder = {
  id: 400,
  name: "append",
  decode: (bytes, params) => Uint8Array.of(...bytes, params[0]!),
  decodeSync: (bytes, params) => Uint8Array.of(...bytes, params[0]!),
};
const later: Decoder = {
  ...append,
  id: 401,
  name: "later",
  decode: async (b, p) => append.decode(b, p, { maxBytes: 9 }),
};
const asyncOnly: Decoder = { id: 402, name: "async only", decode: async (bytes) => bytes };
const decoders = [append, later, asyncOnly, shuffleDecoder, fletcher32Decoder];
const start = Uint8Array.of(0);

function options(expectedBytes: number) {
  return { expectedBytes, maxBytes: 100, address: 4096 };
}

describe("applyDecoders", () => {
  it("goes from the last filter to the first", () => {
    const filters = [entry(400, [1]), entry(400, [2]), entry(400, [3])];
    expect(applyDecoders(start, filters, 0, decoders, options(4))).toEqual(Uint8Array.of(0, 3, 2, 1));
    expect(applyDecodersSync(start, filters, 0, decoders, options(4))).toEqual(Uint8Array.of(0, 3, 2, 1));
  });

  it("puts what filters hand on in spare memory, and the result where it is to go", () => {
    const chunk = Uint8Array.from({ length: 64 }, (_, i) => i >> 3);
    const stored = lzfEncoder.encode(shuffleEncoder.encode(chunk, [4])!, [])!;
    const filters = [entry(2, [4]), entry(32000)];
    const given: number[] = [];
    const spare = (bytes: number) => {
      given.push(bytes);
      return new Uint8Array(bytes).fill(99);
    };
    const into = new Uint8Array(64).fill(99);
    const memory = { ...options(64), into, spare };
    expect(applyDecodersSync(stored, filters, 0, defaultFilters, memory)).toBe(into);
    expect(into).toEqual(chunk);
    expect(given).toEqual([64]);
  });

  it("leaves out filter i where bit i of the mask is set", () => {
    const filters = Array.from({ length: 32 }, (_, i) => entry(400, [i]));
    const decoded = applyDecodersSync(start, filters, 0x7ffffff5, decoders, options(4));
    expect(decoded).toEqual(Uint8Array.of(0, 31, 3, 1));
    expect(applyDecodersSync(start, filters, 0xffffffff, decoders, options(1))).toBe(start);
  });

  it("is a promise only where a decoder's answer is one", async () => {
    const filters = [entry(400, [1]), entry(401, [2]), entry(400, [3])];
    const decoded = applyDecoders(start, filters, 0, decoders, options(4));
    expect(decoded).toBeInstanceOf(Promise);
    expect(await decoded).toEqual(Uint8Array.of(0, 3, 2, 1));
    expect(applyDecoders(start, filters, 2, decoders, options(3))).toEqual(Uint8Array.of(0, 3, 1));
  });

  it("tells each stage the size it should give, where that is known", () => {
    const seen: DecodeOptions[] = [];
    const spy: Decoder = {
      id: 403,
      name: "spy",
      decode: (bytes, _, given) => {
        seen.push(given);
        return bytes;
      },
    };
    const filters = [entry(3), entry(403), entry(403), entry(2, [4])];
    const stored = fletcher32Encoder.encode(new Uint8Array(20), [])!;
    applyDecoders(stored, filters, 0, [...decoders, spy], options(20));
    expect(seen.map(({ expectedBytes }) => expectedBytes)).toEqual([undefined, 24]);
    expect(seen[0]).toMatchObject({ maxBytes: 100, address: 4096 });
  });

  it("takes the first bytes where there are more than expected", () => {
    expect(applyDecodersSync(start, [entry(400, [7])], 0, decoders, options(1))).toEqual(start);
  });

  it("refuses fewer bytes than expected", () => {
    const run = () => applyDecoders(start, [entry(400, [7])], 0, decoders, options(3));
    expect(run).toThrow("filter pipeline: expected 3 bytes once decoded, got 2 (at address 4096)");
    expect(() => applyDecoders(start, [], 0, decoders, options(2))).toThrow("expected 2 bytes once decoded, got 1");
  });

  it("refuses a stage's output above the limit", () => {
    const flood: Decoder = { id: 404, name: "flood", decode: () => new Uint8Array(101) };
    const run = () => applyDecoders(start, [entry(404)], 0, [flood], options(101));
    expect(run).toThrow("flood filter: needs more than 100, limits.chunkBytes allows 100");
  });

  it("refuses a stage's output too far beyond what is expected, by the limit that says so", () => {
    const flood: Decoder = { id: 404, name: "flood", decode: () => new Uint8Array(52) };
    const run = (maxExcess: number) => applyDecoders(start, [entry(404)], 0, [flood], { ...options(1), maxExcess });
    expect(run(51)).toHaveLength(1);
    expect(() => run(50)).toThrow("needs more than 51 bytes for the 1 of the chunk, limits.chunkExcess allows 50;");
  });

  it("names a filter without a decoder", () => {
    const filters = [entry(2, [4]), entry(32015, [3])];
    expect(missingFilter(filters, 0, decoders)).toBe(filters[1]);
    expect(missingFilter(filters, 2, decoders)).toBeUndefined();
    expect(missingFilter(filters, 0, [])).toBe(filters[0]);
    const run = () => applyDecoders(start, filters, 0, decoders, options(1));
    expect(run).toThrow(
      "filter pipeline: no decoder for filter 32015 (zstd); pass one in filters, as @h5/filters and @h5/filters/community have them (at address 4096)",
    );
    const named = { ...entry(444), name: "mine" };
    expect(() => applyDecodersSync(start, [named], 0, decoders, options(1))).toThrow("filter 444 (mine)");
    expect(applyDecoders(start, filters, 2, decoders, options(1))).toEqual(start);
  });

  it.each([
    ["an Error", new Error("bad frame"), "bad frame"],
    ["a string", "broken", "broken"],
  ])("wraps %s a decoder throws or rejects with", async (_, thrown, reason) => {
    const throwing: Decoder = {
      id: 405,
      name: "zstd",
      decode: () => {
        throw thrown;
      },
    };
    const rejecting: Decoder = { id: 405, name: "zstd", decode: () => Promise.reject(thrown) };
    const message = `filter pipeline: the zstd filter cannot be undone: ${reason} (at address 4096)`;
    let sync: unknown;
    try {
      applyDecoders(start, [entry(405)], 0, [throwing], options(1));
    } catch (error) {
      sync = error;
    }
    const rejected = await Promise.resolve(applyDecoders(start, [entry(405)], 0, [rejecting], options(1))).catch(
      (error: unknown) => error,
    );
    for (const error of [sync, rejected]) {
      expect(isH5Error(error, "INVALID_FIELD")).toBe(true);
      expect(error).toMatchObject({ message, cause: thrown });
    }
  });

  it("refuses an answer that is no bytes", () => {
    const odd: Decoder = { id: 406, name: "odd", decode: () => undefined as never };
    expect(() => applyDecoders(start, [entry(406)], 0, [odd], options(1))).toThrow(
      "the odd decoder gave no Uint8Array",
    );
  });

  it("needs decodeSync where it must be synchronous", () => {
    const run = () => applyDecodersSync(start, [entry(402)], 0, decoders, options(1));
    expect(run).toThrow("the async only decoder is asynchronous only");
    expect(applyDecodersSync(start, [entry(402)], 1, decoders, options(1))).toBe(start);
  });
});

describe("applyEncoders", () => {
  const encoders = [shuffleEncoder, fletcher32Encoder, lzfEncoder];
  const data = Uint8Array.from({ length: 80 }, (_, i) => (i % 4 === 0 ? i / 4 : 0));

  it("is what applyDecoders undoes", async () => {
    const filters = [entry(2, [4]), entry(32000, [], true), entry(3)];
    const { bytes, filterMask } = await applyEncoders(data, filters, encoders);
    expect(filterMask).toBe(0);
    expect(bytes.length).toBeLessThan(data.length);
    expect(await applyDecoders(bytes, filters, filterMask, defaultFilters, options(80))).toEqual(data);
  });

  it("masks out an optional filter that gains nothing, and fails with a mandatory one", async () => {
    const noise = Uint8Array.from({ length: 40 }, (_, i) => (i * 89) % 251);
    const optional = [entry(2, [4]), entry(32000, [], true)];
    const encoded = await applyEncoders(noise, optional, encoders);
    expect(encoded.filterMask).toBe(2);
    expect(applyDecodersSync(encoded.bytes, optional, 2, defaultFilters, options(40))).toEqual(noise);
    expect(() => applyEncoders(noise, [entry(32000)], encoders)).toThrow("filter 32000 cannot encode this chunk");
  });

  it("waits for an encoder that takes its time", async () => {
    const slow: Encoder = { id: 407, name: "slow", encode: async (bytes) => bytes.slice(1) };
    expect(await applyEncoders(data, [entry(407), entry(407)], [slow])).toEqual({
      bytes: data.slice(2),
      filterMask: 0,
    });
  });

  it("refuses a filter without an encoder", () => {
    expect(() => applyEncoders(data, [entry(32015, [], true)], encoders)).toThrow("no encoder for filter 32015 (zstd)");
  });
});
