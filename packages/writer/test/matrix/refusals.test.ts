import { bool, compoundType, integerType, referenceType, vlenType } from "@h5/datatypes";
import { describe, expect, it } from "vitest";
import { createFile, deflate, fletcher32, type GroupBuilder, scaleOffset, shuffle } from "../../src/index.ts";

const NO_LIMIT = Number.POSITIVE_INFINITY;

describe('compatibility "earliest" refuses by name', () => {
  const cases: Record<string, [(group: GroupBuilder) => unknown, RegExp]> = {
    "creation order of links": [(group) => group.group("g", { trackOrder: true }), /creation order/],
    "creation order of attributes": [(group) => group.dataset("d", 1, { trackOrder: true }), /creation order/],
    "external links": [(group) => group.externalLink("l", "file.h5", "/"), /external link/],
    "attributes of 64 KiB": [(group) => group.attribute("a", new Uint8Array(65_536)), /earliest/],
    "unfiltered edges": [
      (group) => group.dataset("d", new Uint8Array(5), { chunks: [2], filters: [deflate()], unfilteredEdges: true }),
      /unfilteredEdges/,
    ],
    "types with most bits unused": [
      (group) => group.dataset("d", [1], { dtype: { ...integerType(4, false), precision: 3 } }),
      /bits/,
    ],
  };
  it.each(Object.entries(cases))("%s", (_, [build, message]) => {
    expect(() => build(createFile({ compatibility: "earliest" }))).toThrow(message);
  });

  it.each([{ libver: "v200" }, { sharedMessages: true }, { trackOrder: true }] as const)("%o", (options) => {
    expect(() => createFile({ compatibility: "earliest", ...options })).toThrow(/earliest/);
  });
});

describe("what libhdf5 would refuse or lose is refused", () => {
  const data = new Int32Array(8);
  const options = { chunks: [4] };
  const cases: Record<string, [(group: GroupBuilder) => unknown, RegExp]> = {
    "scale-offset behind another filter": [
      (group) => group.dataset("d", data, { ...options, filters: [shuffle(), scaleOffset({ kind: "integer" })] }),
      /first filter/,
    ],
    "float scale-offset with fletcher32": [
      (group) =>
        group.dataset("d", new Float32Array(8), {
          ...options,
          filters: [scaleOffset({ kind: "float", decimals: 2 }), fletcher32()],
        }),
      /fletcher32/,
    ],
    "fletcher32 on strings": [
      (group) => group.dataset("d", ["a", "b"], { chunks: [1], filters: [fletcher32()] }),
      /variable-length/,
    ],
    "scale-offset on strings": [
      (group) => group.dataset("d", ["a", "b"], { chunks: [1], filters: [scaleOffset({ kind: "integer" })] }),
      /scaleoffset|integer/,
    ],
    "sequences of region references": [
      (group) =>
        group.dataset("d", [[]], { dtype: vlenType(compoundType([{ name: "r", type: referenceType("region") }])) }),
      /region references/,
    ],
    "appending a block of another shape": [
      (group) => group.dataset("d", [[1, 2]], { chunks: [1, 2], maxShape: [NO_LIMIT, 2] }).append([[1, 2, 3]]),
      /append/,
    ],
    "values that do not fit": [(group) => group.dataset("d", [2 ** 40], { dtype: "int32" }), /1099511627776/],
    "members that are no booleans": [(group) => group.dataset("d", ["MAYBE"], { dtype: bool }), /MAYBE/],
  };
  it.each(Object.entries(cases))("%s", (_, [build, message]) => {
    expect(() => build(createFile())).toThrow(message);
  });

  it("gives the path", () => {
    expect(() => createFile().group("a").dataset("b", [300], { dtype: "uint8" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", path: "/a/b" }),
    );
  });
});
