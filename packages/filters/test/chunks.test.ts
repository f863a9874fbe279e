import { isH5Error } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { deflateEncoder } from "../src/deflate.ts";
import { fletcher32Encoder } from "../src/fletcher32.ts";
import { applyDecoders, applyDecodersSync, applyEncoders, decodeFilterPipeline, defaultFilters } from "../src/index.ts";
import { deflateDecoder } from "../src/inflate.ts";
import { nbitEncoder } from "../src/nbit.ts";
import { scaleOffsetEncoder } from "../src/scale-offset-encode.ts";
import { shuffleEncoder } from "../src/shuffle.ts";
import { szipEncoder } from "../src/szip-encode.ts";
import { chunkCases } from "./chunks.ts";

const cases = chunkCases();
const pakoFilters = [deflateDecoder, ...defaultFilters.filter(({ id }) => id !== 1)];
const encoders = [deflateEncoder, shuffleEncoder, fletcher32Encoder, szipEncoder, nbitEncoder, scaleOffsetEncoder];

describe("chunks written by libhdf5", () => {
  it("are there", () => expect(cases.length).toBeGreaterThan(250));

  it.each(cases)("$name decodes as libhdf5 decodes it", async ({ message, chunks }) => {
    const { filters } = decodeFilterPipeline(message);
    expect(chunks.length).toBeGreaterThan(0);
    for (const { filterMask, stored, decoded } of chunks) {
      const options = { expectedBytes: decoded.length, maxBytes: 1 << 20 };
      expect(await applyDecoders(stored, filters, filterMask, defaultFilters, options)).toStrictEqual(decoded);
      expect(applyDecodersSync(stored, filters, filterMask, defaultFilters, options)).toStrictEqual(decoded);
      expect(applyDecodersSync(stored, filters, filterMask, pakoFilters, options)).toStrictEqual(decoded);
    }
  });

  // Of these libhdf5 loses bits; the encoders here refuse them.
  const lost = ["szip-nn-3-bytes", "nbit-misread-compound"];
  const encodable = cases.filter(
    ({ name, filters, chunks }) =>
      filters.every(({ id }) => encoders.some((encoder) => encoder.id === id)) &&
      chunks.every(({ filterMask }) => filterMask === 0) &&
      !lost.includes(name),
  );

  it.each(encodable)("$name encodes to the same bytes", async ({ message, chunks }) => {
    const { filters } = decodeFilterPipeline(message);
    for (const { filterMask, stored, written } of chunks) {
      expect(await applyEncoders(written, filters, encoders)).toStrictEqual({ bytes: stored, filterMask });
    }
  });

  it.each(lost)("%s is refused", (name) => {
    const { message, chunks } = cases.find((one) => one.name === name)!;
    const mandatory = decodeFilterPipeline(message).filters.map((filter) => ({ ...filter, optional: false }));
    expect(() => applyEncoders(chunks[0]!.written, mandatory, encoders)).toThrow(
      expect.toSatisfy((error) => isH5Error(error, "INVALID_ARGUMENT")),
    );
  });
});
