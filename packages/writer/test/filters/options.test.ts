import { float64le, int32le } from "@h5/datatypes";
import { describe, expect, it } from "vitest";
import { deflate } from "../../src/filters/deflate.ts";
import { nbit } from "../../src/filters/nbit.ts";
import { scaleOffset } from "../../src/filters/scale-offset.ts";
import { szip } from "../../src/filters/szip.ts";

describe("filters", () => {
  it.each([
    ["deflate", () => deflate(10), "deflate filter: expected a level from 0 to 9, got 10"],
    ["deflate", () => deflate(1.5), "got 1.5"],
    ["szip", () => szip({ pixelsPerBlock: 7 }), "szip filter: expected an even pixelsPerBlock from 2 to 32, got 7"],
    ["szip", () => szip({ pixelsPerBlock: 34 }), "got 34"],
    ["szip", () => szip({ pixelsPerBlock: Number.NaN }), "got NaN"],
    ["szip", () => szip({ coding: "ne" as "nn" }), 'expected coding "nn" or "ec", got "ne"'],
    ["scaleOffset", () => scaleOffset({ kind: "integer", bits: -1 }), "expected bits from 0 to 64, got -1"],
    ["scaleOffset", () => scaleOffset({ kind: "float", decimals: 0.5 }), "expected decimals from 0 to 2147483647, got"],
    ["scaleOffset", () => scaleOffset({ kind: "int" as "integer" }), 'expected kind "integer" or "float", got int'],
  ])("refuse options that make no sense: %s", (_, make, message) => {
    expect(make).toThrow(message);
  });

  it("take h5py's defaults", () => {
    const dataset = { datatype: int32le, chunkShape: [64], fill: undefined };
    expect(deflate().params(dataset)).toEqual([6]);
    // Nearest neighbour, 8 pixels per block.
    expect(szip().params(dataset)).toEqual([128 + 32 + 8 + 1, 8, 32, 64]);
    expect(scaleOffset({ kind: "integer" }).params(dataset).slice(0, 2)).toEqual([2, 0]);
  });

  it("refuse VAX byte order, as libhdf5 does", () => {
    const vax = { ...float64le, order: "VAX" } as const;
    const dataset = { datatype: vax, chunkShape: [64], fill: undefined };
    expect(() => nbit().params(dataset)).toThrow("nbit filter: it has no code for VAX byte order");
    expect(() => szip().params(dataset)).toThrow("szip filter: it has no code for VAX byte order");
    expect(() => scaleOffset({ kind: "float", decimals: 1 }).params(dataset)).toThrow("IEEE floats of 4 and 8 bytes");
  });

  it("refuse what the datatype has no room for", () => {
    const dataset = { datatype: int32le, chunkShape: [64], fill: new Uint8Array(2) };
    expect(() => scaleOffset({ kind: "integer", bits: 33 }).params(dataset)).toThrow("at most 32 bits, got 33");
    expect(() => scaleOffset({ kind: "integer" }).params(dataset)).toThrow("a fill value of 4 bytes, got 2");
    const members = Array.from({ length: 682 }, (_, i) => ({ name: `m${i}`, offset: 4 * i, type: int32le }));
    const wide = { class: "compound", version: 1, size: 4 * 682, members } as const;
    expect(nbit().params({ ...dataset, datatype: { ...wide, members: members.slice(0, 681) } })).toHaveLength(4092);
    expect(() => nbit().params({ ...dataset, datatype: wide })).toThrow("one that needs 4098");
  });
});
