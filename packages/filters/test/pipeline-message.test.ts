import { isH5Error } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeFilterPipeline,
  encodeFilterPipeline,
  type FilterPipeline,
  type PipelineFilter,
  sizeOfFilterPipeline,
} from "../src/pipeline-message.ts";
import { chunkCases, unhex } from "./chunks.ts";

const cases = chunkCases();

describe("the filter pipeline message", () => {
  it.each(cases)("of $name decodes to what h5py tells and back to its bytes", ({ message, filters }) => {
    const pipeline = decodeFilterPipeline(message);
    expect(pipeline.filters.map(({ id, flags, params }) => ({ id, flags, params: params.slice(0, 16) }))).toEqual(
      filters,
    );
    const again = encodeFilterPipeline(structuredClone(pipeline));
    // Messages in an object header of version 1 are padded to 8 bytes.
    expect(message.subarray(0, again.length)).toEqual(again);
    expect(message.subarray(again.length).every((byte) => byte === 0)).toBe(true);
    expect(message.length - again.length).toBeLessThan(8);
    expect(sizeOfFilterPipeline(pipeline)).toBe(again.length);
  });

  it("has names and padded parameters in version 1", () => {
    const message = cases.find(({ name }) => name === "deflate-6")!.message;
    expect(decodeFilterPipeline(message)).toEqual({
      version: 1,
      filters: [{ id: 1, name: "deflate", nameSize: 8, flags: 1, optional: true, params: [6] }],
    });
  });

  it("has names for filters from 256 on alone in version 2", () => {
    const message = cases.find(({ name }) => name === "lzf-runs")!.message;
    const [filter] = decodeFilterPipeline(message).filters;
    expect(filter).toMatchObject({ id: 32000, name: "lzf", nameSize: 4, optional: true });
    const builtin = cases.find(({ name }) => name === "deflate-9-latest")!.message;
    expect(decodeFilterPipeline(builtin).filters).toEqual([{ id: 1, flags: 1, optional: true, params: [9] }]);
  });

  it("gives names the size libhdf5 does where none is said", () => {
    const filter = { id: 32015, name: "zstandard", flags: 0, optional: false, params: [] };
    expect(decodeFilterPipeline(encodeFilterPipeline({ version: 1, filters: [filter] })).filters[0]!.nameSize).toBe(16);
    expect(decodeFilterPipeline(encodeFilterPipeline({ version: 2, filters: [filter] })).filters[0]!.nameSize).toBe(10);
  });

  it("round-trips", () => {
    const filter: fc.Arbitrary<PipelineFilter> = fc
      .record({ id: fc.nat(65535), flags: fc.nat(65535), params: fc.array(fc.nat(2 ** 32 - 1)) })
      .map((made) => ({ ...made, optional: (made.flags & 1) === 1 }));
    const pipelines = fc.record({ version: fc.constantFrom(1 as const, 2 as const), filters: fc.array(filter) });
    fc.assert(
      fc.property(pipelines, (pipeline) => {
        expect(decodeFilterPipeline(encodeFilterPipeline(pipeline))).toEqual(pipeline);
      }),
    );
  });

  it("may have 32 filters and no more", () => {
    const filters = Array.from({ length: 32 }, () => ({ id: 2, flags: 1, optional: true, params: [4] }));
    const full = encodeFilterPipeline({ version: 2, filters });
    expect(decodeFilterPipeline(full).filters).toHaveLength(32);
    full[1] = 33;
    expect(() => decodeFilterPipeline(full, 96)).toThrow(
      "filter pipeline message: expected at most 32 filters, got 33 (at address 97)",
    );
    const tooMany: FilterPipeline = { version: 2, filters: [...filters, filters[0]!] };
    expect(() => encodeFilterPipeline(tooMany)).toThrow("expected at most 32 filters, got 33");
  });

  it.each([
    ["another version", "03 00", "expected version 1 or 2, got 3"],
    ["no bytes", "", "expected 1 bytes, got 0"],
    ["an odd name length", "01 01 000000000000 0100 0700 0000 0000", "multiple of 8, got 7"],
    ["no parameters", "02 01 0100 0000 0100", "expected 4 bytes, got 0"],
    ["a name that does not fit", "02 01 0080 ffff 0000 0000 61", "expected 65535 bytes, got 1"],
  ])("is refused with %s", (_, hex, message) => {
    expect(() => decodeFilterPipeline(unhex(hex))).toThrow(message);
  });

  it.each([
    [{ id: 1, flags: 1, optional: false, params: [] }, "optional is false, flags are 1"],
    [{ id: 300, name: "four", nameSize: 3, flags: 0, optional: false, params: [] }, 'name "four" in 3 bytes'],
    [{ id: 1, flags: 0, optional: false, params: [-1] }, "does not fit"],
  ])("is not made from %j", (filter, message) => {
    expect(() => encodeFilterPipeline({ version: 2, filters: [filter] })).toThrow(message);
  });

  it("throws nothing but an H5Error for any bytes", () => {
    fc.assert(
      fc.property(fc.constantFrom(1, 2), fc.nat(40), fc.uint8Array({ maxLength: 200 }), (version, count, rest) => {
        try {
          decodeFilterPipeline(Uint8Array.of(version, count, ...rest));
        } catch (error) {
          if (!isH5Error(error)) throw error;
        }
      }),
    );
  });
});
