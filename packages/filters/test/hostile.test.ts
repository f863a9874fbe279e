import { isH5Error } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decoder } from "../src/filter.ts";
import { applyDecodersSync, decodeFilterPipeline, defaultFilters } from "../src/index.ts";
import { deflateDecoder } from "../src/inflate.ts";
import { chunkCases } from "./chunks.ts";

const decoders: readonly Decoder[] = [...defaultFilters, deflateDecoder];
const cases = chunkCases();
/** The cases of each filter alone. */
const samples = decoders.map((decoder) => {
  const alone = cases.filter(({ filters, chunks }) => {
    return filters.length === 1 && filters[0]!.id === decoder.id && chunks[0]!.filterMask === 0;
  });
  return { decoder, alone };
});

const maxBytes = 1 << 16;

/** Runs a decoder, lets only H5Errors pass for failures and checks what it gives. */
function tryDecode(decoder: Decoder, bytes: Uint8Array, params: readonly number[]): void {
  try {
    const output = decoder.decodeSync!(bytes, params, { maxBytes });
    expect(output.length).toBeLessThanOrEqual(Math.max(maxBytes, bytes.length));
  } catch (error) {
    if (!isH5Error(error, "INVALID_FIELD", "LIMIT_EXCEEDED", "UNSUPPORTED_FEATURE")) throw error;
  }
}

describe.each(samples)("the $decoder.name decoder", ({ decoder, alone }) => {
  const word = fc.oneof(fc.nat(9), fc.nat(64), fc.nat(2 ** 32 - 1), fc.constantFrom(2 ** 31, 2 ** 32 - 1));

  it("throws nothing but an H5Error for any bytes and parameters", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(word, { maxLength: 24 }), (bytes, params) => {
        tryDecode(decoder, bytes, params);
      }),
      { numRuns: 500 },
    );
  });

  it("throws nothing but an H5Error for real parameters and any bytes", () => {
    const pipelines = fc.constantFrom(...alone).map(({ message }) => decodeFilterPipeline(message).filters[0]!.params);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), pipelines, (bytes, params) => tryDecode(decoder, bytes, params)),
      { numRuns: 500 },
    );
  });

  it("throws nothing but an H5Error for real chunks with a changed byte or parameter", () => {
    const chunks = fc.constantFrom(...alone).map(({ message, chunks }) => {
      return { stored: chunks[0]!.stored, params: decodeFilterPipeline(message).filters[0]!.params };
    });
    fc.assert(
      fc.property(chunks, fc.nat(), fc.nat(255), fc.nat(), word, ({ stored, params }, at, value, which, param) => {
        const bytes = stored.slice();
        bytes[at % bytes.length] = value;
        tryDecode(decoder, bytes, params);
        const changed = params.map((old, i) => (i === which % params.length ? param : old));
        tryDecode(decoder, stored, changed);
      }),
      { numRuns: 500 },
    );
  });

  it("never fills up a truncated chunk", () => {
    for (const { message, chunks } of alone) {
      const { filters } = decodeFilterPipeline(message);
      const { stored, decoded } = chunks[0]!;
      const options = { expectedBytes: decoded.length, maxBytes };
      for (const length of [0, 1, 3, 4, 5, 20, 21, 22, stored.length >> 1, stored.length - 1]) {
        let output: Uint8Array;
        try {
          output = applyDecodersSync(stored.subarray(0, length), filters, 0, [decoder], options);
        } catch (error) {
          if (isH5Error(error, "INVALID_FIELD")) continue;
          throw error;
        }
        // The last bytes of some chunks are padding.
        expect(output).toEqual(decoded);
      }
    }
  });
});
