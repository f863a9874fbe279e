import { isH5Error, type Widths } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { type Dataspace, decodeDataspace, elementCount, encodeDataspace, sizeOfDataspace } from "../src/index.ts";
import { bytesOf, hexOf } from "./hex.ts";

const widths: Widths = { offsetSize: 8, lengthSize: 8 };

// Message bodies as libhdf5 1.10.8 wrote them, version 1 at low bound earliest, version 2 at latest.
const real: [string, string, Dataspace][] = [
  [
    "v1 with an unlimited dimension",
    "010201000000000002000000000000000300000000000000ffffffffffffffff0700000000000000",
    { class: "simple", version: 1, shape: [2, 3], maxShape: [Number.POSITIVE_INFINITY, 7], fixed: false },
  ],
  ["v1 scalar", "0100000000000000", { class: "scalar", version: 1, shape: [], maxShape: [], fixed: true }],
  [
    "v1 vector",
    "010101000000000003000000000000000300000000000000",
    { class: "simple", version: 1, shape: [3], maxShape: [3], fixed: false },
  ],
  [
    "v2 with an unlimited dimension",
    "0202010102000000000000000300000000000000ffffffffffffffff0700000000000000",
    { class: "simple", version: 2, shape: [2, 3], maxShape: [Number.POSITIVE_INFINITY, 7], fixed: false },
  ],
  ["v2 null", "02000002", { class: "null", version: 2, shape: [], maxShape: [], fixed: true }],
  ["v2 scalar", "02000000", { class: "scalar", version: 2, shape: [], maxShape: [], fixed: true }],
  [
    "v2 of no elements",
    "0201010100000000000000000000000000000000",
    { class: "simple", version: 2, shape: [0], maxShape: [0], fixed: false },
  ],
];

const decode = (hex: string, w: Widths = widths): Dataspace => decodeDataspace(bytesOf(hex), w, 1000);

describe("dataspace message", () => {
  it.each(real)("decodes and encodes %s", (_, hex, space) => {
    expect(decode(hex)).toEqual(space);
    expect(hexOf(encodeDataspace(structuredClone(decode(hex)), widths))).toBe(hex);
    expect(sizeOfDataspace(space, widths)).toBe(hex.length / 2);
    expect(decode(`${hex}00000000`)).toEqual(space);
    for (let cut = 0; cut < hex.length; cut += 2) expect(() => decode(hex.slice(0, cut))).toThrow("expected");
  });

  it("writes maximum dimensions for a space made by hand that has dimensions, as libhdf5 does", () => {
    const space: Dataspace = { class: "simple", version: 1, shape: [3], maxShape: [3] };
    expect(hexOf(encodeDataspace(space, widths))).toBe("010101000000000003000000000000000300000000000000");
    expect(hexOf(encodeDataspace({ class: "scalar", version: 2, shape: [], maxShape: [] }, widths))).toBe("02000000");
  });

  it("reads a message without maximum dimensions", () => {
    const hex = "010100000000000005000000";
    const space = decode(hex, { offsetSize: 4, lengthSize: 4 });
    expect(space).toEqual({ class: "simple", version: 1, shape: [5], maxShape: [5], fixed: true });
    expect(hexOf(encodeDataspace(space, { offsetSize: 4, lengthSize: 4 }))).toBe(hex);
  });

  it("takes all ones of a 4-byte length as that number, as libhdf5 does", () => {
    const narrow: Widths = { offsetSize: 4, lengthSize: 4 };
    const hex = "020101010500000000ffffffff".replace("00ffffffff", "ffffffff");
    expect(decode(hex, narrow).maxShape).toEqual([4294967295]);
    expect(hexOf(encodeDataspace(decode(hex, narrow), narrow))).toBe(hex);
    const unlimited: Dataspace = { class: "simple", version: 2, shape: [5], maxShape: [Number.POSITIVE_INFINITY] };
    expect(hexOf(encodeDataspace(unlimited, narrow))).toBe(hex);
  });

  it.each([
    ["version 0", "0000000000000000", "INVALID_FIELD", "expected version 1 or 2, got 0"],
    ["version 3", "03000000", "INVALID_FIELD", "expected version 1 or 2, got 3"],
    ["33 dimensions", `02210001${"00".repeat(264)}`, "INVALID_FIELD", "at most 32"],
    ["a permutation", "010102000000000003000000000000000000000000000000", "UNSUPPORTED_FEATURE", "permutation"],
    ["unknown flags", "02010401", "UNSUPPORTED_FEATURE", "flags 4"],
    ["class 3", "02000003", "INVALID_FIELD", "class 0 to 2, got 3"],
    ["a null space with dimensions", "020100020300000000000000", "INVALID_FIELD", "no dimensions, got 1"],
    ["a scalar with dimensions", "020100000300000000000000", "INVALID_FIELD", "no dimensions, got 1"],
    ["a size above its maximum", "0201010104000000000000000300000000000000", "INVALID_FIELD", "above its maximum 3"],
    ["a size above 2^53-1", "020100010000000000002000", "INVALID_FIELD", "above 2^53-1"],
  ])("refuses %s", (_, hex, code, message) => {
    expect.assertions(4);
    try {
      decode(hex);
    } catch (error) {
      expect(isH5Error(error) && error.code).toBe(code);
      expect(isH5Error(error) && error.structure).toBe("dataspace message");
      expect(isH5Error(error) && error.address).toBeGreaterThanOrEqual(1000);
      expect(String(error)).toContain(message);
    }
  });

  it("refuses to encode what no message can hold", () => {
    const base: Dataspace = { class: "simple", version: 2, shape: [3], maxShape: [3] };
    const refuse = (space: Partial<Dataspace>): void => {
      expect(() => encodeDataspace({ ...base, ...space }, widths)).toThrow(/dataspace message: /);
    };
    refuse({ class: "null", version: 1, shape: [], maxShape: [] });
    refuse({ class: "scalar" });
    refuse({ maxShape: [] });
    refuse({ maxShape: [2] });
    refuse({ shape: [-1] });
    refuse({ shape: new Array(33).fill(1), maxShape: new Array(33).fill(1) });
  });
});

describe("elementCount", () => {
  it("is the product, exactly", () => {
    expect(elementCount([])).toBe(1);
    expect(elementCount([2, 3, 4])).toBe(24);
    expect(elementCount([2 ** 40, 2 ** 40, 0])).toBe(0);
    expect(() => elementCount([2 ** 27, 2 ** 26])).toThrow("2^53-1");
  });
});
