import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeSelection,
  encodeSelection,
  type Selection,
  selectedCoordinates,
  selectionCount,
  sizeOfSelection,
  UNLIMITED,
} from "../src/index.ts";
import { arbitrarySelection } from "./arbitrary.ts";
import { bytesOf, hexOf } from "./hex.ts";
import { errorOf, invalid, lenient, type Vector, vectors } from "./vectors.ts";

const titled = vectors.map((vector): [string, Vector] => [
  `${vector.name}, version ${vector.version}${vector.encodedSize ? `, ${vector.encodedSize} bytes` : ""}`,
  vector,
]);

/** Type, version, encoded size as stored. */
function wire(vector: Vector): Selection {
  const { decoded, version, encodedSize } = vector;
  return encodedSize === null ? decoded : ({ ...decoded, version, encodedSize } as Selection);
}

describe("what libhdf5 wrote", () => {
  it.each(titled)("decodes %s", (_, vector) => {
    const { selection, byteLength } = decodeSelection(bytesOf(vector.hex));
    expect(selection).toEqual(wire(vector));
    expect(byteLength).toBe(vector.hex.length / 2);
  });

  it.each(titled)("encodes the decoded %s to the same bytes", (_, { hex }) => {
    const { selection } = decodeSelection(bytesOf(hex));
    expect(hexOf(encodeSelection(structuredClone(selection)))).toBe(hex);
    expect(hexOf(encodeSelection(selection, { low: "v112" }))).toBe(hex);
    expect(sizeOfSelection(selection)).toBe(hex.length / 2);
  });

  it.each(titled)("encodes %s made by hand to libhdf5's bytes at each low bound", (_, { decoded, lows, hex }) => {
    expect(lows.length).toBeGreaterThan(0);
    for (const low of lows) {
      expect(hexOf(encodeSelection(decoded, { low }))).toBe(hex);
      expect(sizeOfSelection(decoded, { low })).toBe(hex.length / 2);
    }
    if (lows.includes("earliest")) expect(hexOf(encodeSelection(decoded))).toBe(hex);
  });

  it.each(titled.filter(([, { order }]) => order))("visits %s in libhdf5's order", (_, { decoded, dims, order }) => {
    expect([...selectedCoordinates(decoded, dims)]).toEqual(order);
  });

  it.each(titled.filter(([, { count }]) => count !== null))("counts %s", (_, { decoded, dims, count }) => {
    expect(selectionCount(decoded, dims)).toBe(count);
  });
});

describe("what libhdf5 refuses", () => {
  it.each(invalid.map(({ name, hex }) => [name, hex]))("refuses %s", (_, hex) => {
    expect(["INVALID_FIELD", "UNEXPECTED_EOF"]).toContain(errorOf(() => decodeSelection(bytesOf(hex!))).code);
  });

  it.each(lenient.map((vector) => [vector.name, vector] as const))("comes to an end with %s", (_, { hex, dims }) => {
    try {
      const { selection } = decodeSelection(bytesOf(hex));
      expect(hexOf(encodeSelection(selection))).toBe(hex);
      selectionCount(selection, dims);
    } catch (error) {
      expect(["INVALID_FIELD", "INVALID_ARGUMENT"]).toContain(
        errorOf(() => {
          throw error;
        }).code,
      );
    }
  });
});

describe("decodeSelection", () => {
  const regular = "020000000300000001020100000002000500030001 00";
  const all = "03000000010000000000000000000000";
  const decode = (hex: string): Selection => decodeSelection(bytesOf(hex)).selection;

  it("reads two selections back to back, from an offset, with bytes to spare", () => {
    const bytes = bytesOf(`ffff${all}${regular}ee`);
    const first = decodeSelection(bytes, 2);
    expect(first).toEqual({ selection: { type: "all" }, byteLength: 16 });
    const second = decodeSelection(bytes, 2 + first.byteLength);
    expect(second.byteLength).toBe(22);
    expect(second.selection).toMatchObject({ form: "regular", start: [2], stride: [5], count: [3], block: [1] });
  });

  it("reads and writes a block list in every version", () => {
    const block = { start: [2], end: [4] };
    const lists: [string, object][] = [
      ["0200000001000000 00000000 10000000 01000000 01000000 02000000 04000000", { version: 1, encodedSize: 4 }],
      [
        "0200000002000000 00 1c000000 01000000 0100000000000000 0200000000000000 0400000000000000",
        { version: 2, encodedSize: 8 },
      ],
      ["0200000003000000 00 02 01000000 0100 0200 0400", { version: 3, encodedSize: 2 }],
    ];
    for (const [hex, form] of lists) {
      expect(decode(hex)).toEqual({ type: "hyperslab", form: "blocks", blocks: [block], ...form });
      expect(hexOf(encodeSelection(decode(hex)))).toBe(hex.replaceAll(" ", ""));
    }
  });

  it("refuses an offset outside the bytes", () => {
    for (const offset of [-1, -16, 16, 1000]) {
      expect(errorOf(() => decodeSelection(bytesOf(all), offset)).code).toBe("UNEXPECTED_EOF");
    }
  });

  it("knows four types", () => {
    const types = ["00", "01", "02", "03"].map((type) => {
      if (type === "01") return decode("0100000001000000000000000c000000010000000100000003000000");
      return type === "02" ? decode(regular) : decode(`${type}000000010000000000000000000000`);
    });
    expect(types.map(({ type }) => type)).toEqual(["none", "points", "hyperslab", "all"]);
    expect(errorOf(() => decode("04000000010000000000000000000000")).message).toBe(
      "selection: expected type 0 to 3, got 4",
    );
  });

  it("ignores the reserved bytes and the length of version 1, and writes them exactly", () => {
    const points = "010000000100000000000000 1c000000 020000000200000009000000000000000900000004000000".replaceAll(
      " ",
      "",
    );
    const odd = points.replace("000000001c000000", "ffffffffeeeeeeee");
    // From the rank to the end: 8 + 2 points of 2 coordinates of 4 bytes.
    expect(hexOf(encodeSelection(decode(odd)))).toBe(points.replace("1c000000", "18000000"));
    expect(decode("03000000010000001234567812345678")).toEqual({ type: "all" });
  });

  it("keeps the order and the duplicates of points", () => {
    const points = [[9], [0], [9], [4]];
    const bytes = encodeSelection({ type: "points", points });
    expect(decodeSelection(bytes).selection).toEqual({ type: "points", points, version: 1, encodedSize: 4 });
  });

  it.each([
    [2, "02000000030000000102010000000000 0300 ffff 0200"],
    [4, "0200000003000000010401000000 00000000 03000000 ffffffff 02000000"],
    [8, "0200000003000000010801000000 0000000000000000 0300000000000000 ffffffffffffffff 0200000000000000"],
  ])("takes all ones of %i bytes as unlimited, in count and block alone", (size, hex) => {
    expect(decode(hex)).toMatchObject({ count: [UNLIMITED], block: [2], encodedSize: size });
    expect(hexOf(encodeSelection(decode(hex)))).toBe(hex.replaceAll(" ", ""));
  });

  it("takes 65535 as a number in 4 bytes, and as a start or stride", () => {
    expect(decode("0200000003000000010401000000 ffff0000 00000100 ffff0000 ffff0000")).toMatchObject({
      count: [65535],
      block: [65535],
    });
    expect(decode("0200000003000000010201000000 ffff ffff 0100 0200")).toMatchObject({
      start: [65535],
      stride: [65535],
    });
  });

  it("names the field, its address, what is expected and what is there", () => {
    const at = (hex: string): string => errorOf(() => decodeSelection(bytesOf(hex), 0, 5000)).message;
    expect(at("0200000003000000010301000000")).toBe(
      "selection: expected encoded size 2, 4 or 8, got 3 (at address 5009)",
    );
    expect(at("02000000030000000302")).toBe("selection: unknown flags 3 (at address 5008)");
    expect(at("020000000300000001022100000000")).toBe(
      "selection: expected a rank of 1 to 32, got 33 (at address 5010)",
    );
    expect(at("0200000003000000010201000000 0000 0100 0200 0200")).toBe(
      "selection: blocks of 2 overlap with stride 1 (at address 5014)",
    );
    expect(at("0200000003000000000201000000 0100 0700 0400")).toBe(
      "selection: block [7] to [4] ends before it starts (at address 5014)",
    );
    expect(at("0200000003000000000201000000 0000")).toContain("expected at least one member");
  });

  it("refuses two unlimited dimensions, and a count and block both unlimited", () => {
    const one = "0000 0300 ffff 0200";
    expect(errorOf(() => decode(`0200000003000000010202000000 ${one} ${one}`)).message).toContain("unlimited");
    expect(errorOf(() => decode("0200000003000000010201000000 0000 0300 ffff ffff")).code).toBe("INVALID_FIELD");
  });

  it("refuses numbers above 2^53-1, and ends above it", () => {
    const slab = "0200000003000000010801000000";
    const start = errorOf(() => decode(`${slab} 0000000000002000 0100000000000000 0100000000000000 0100000000000000`));
    expect(start.message).toContain("above 2^53-1");
    const end = errorOf(() => decode(`${slab} feffffffffff1f00 0200000000000000 0200000000000000 0100000000000000`));
    expect(end.message).toContain("ends above 2^53-1");
  });

  it.each([
    ["points", "0100000002000000 08 02000000 ffffffffffff0f00"],
    ["blocks", "0200000003000000 00 08 20000000 ffffffffffff0f00"],
    ["v1 points", "0100000001000000 00000000 00000000 20000000 ffffffff"],
    ["v1 blocks", "0200000001000000 00000000 00000000 20000000 ffffffff"],
  ])("refuses more %s than the bytes hold before allocating any", (_, hex) => {
    const before = process.memoryUsage().heapUsed;
    expect(errorOf(() => decode(hex)).code).toBe("UNEXPECTED_EOF");
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(5_000_000);
  });
});

describe("encodeSelection", () => {
  const block: Selection = { type: "hyperslab", form: "blocks", blocks: [{ start: [2], end: [4] }] };
  const slab = (stride: number, count: number, size: number): Selection => ({
    type: "hyperslab",
    form: "regular",
    start: [2],
    stride: [stride],
    count: [count],
    block: [size],
  });

  it("writes one block as a version 1 list, and reads both forms", () => {
    const list = "0200000001000000000000001000000001000000010000000200000004000000";
    expect(hexOf(encodeSelection(block))).toBe(list);
    expect(hexOf(encodeSelection(slab(1, 1, 3)))).toBe(list);
    const modern = encodeSelection(slab(1, 1, 3), { low: "v112" });
    expect(decodeSelection(modern).selection).toMatchObject({ form: "regular", version: 3, encodedSize: 2 });
  });

  it("keeps a block list a list at every low bound", () => {
    for (const low of ["earliest", "v18", "v110", "v112", "v114"] as const) {
      expect(decodeSelection(encodeSelection(block, { low })).selection).toMatchObject({ form: "blocks" });
    }
  });

  it("writes as libhdf5 keeps it: touching blocks are one, a single block has stride 1, an empty one is none", () => {
    expect(encodeSelection(slab(3, 4, 3), { low: "v112" })).toEqual(encodeSelection(slab(1, 1, 12), { low: "v112" }));
    expect(encodeSelection(slab(9, 1, 3), { low: "v112" })).toEqual(encodeSelection(slab(1, 1, 3), { low: "v112" }));
    expect(encodeSelection(slab(9, 0, 3))).toEqual(encodeSelection({ type: "none" }));
    expect(encodeSelection(slab(9, 4, 0))).toEqual(encodeSelection({ type: "none" }));
  });

  it("never writes a finite count as all ones", () => {
    const { selection } = decodeSelection(encodeSelection(slab(2, 65535, 1), { low: "v112" }));
    expect(selection).toMatchObject({ count: [65535], encodedSize: 4 });
  });

  it("refuses to spell out more blocks than the limit", () => {
    const error = errorOf(() => encodeSelection(slab(2, 11, 1), { limits: { selectionBlocks: 10 } }));
    expect(error).toMatchObject({ code: "LIMIT_EXCEEDED", limit: "selectionBlocks" });
    expect(errorOf(() => encodeSelection(slab(2, 1_000_000_000, 1))).code).toBe("LIMIT_EXCEEDED");
  });

  it.each<[string, object, string]>([
    ["no points", { type: "points", points: [] }, "rank of 1 to 32, got 0"],
    ["a point of another rank", { type: "points", points: [[1, 2], [1]] }, "expected 2 members, got 1"],
    ["a negative coordinate", { type: "points", points: [[-1]] }, "whole number up to 2^53-1, got -1"],
    ["a fraction", { type: "points", points: [[0.5]] }, "got 0.5"],
    ["33 dimensions", { type: "points", points: [new Array(33).fill(0)] }, "rank of 1 to 32, got 33"],
    ["unlimited start", { ...slab(3, 2, 1), start: [UNLIMITED] }, "got Infinity"],
    ["unlimited stride", slab(UNLIMITED, 2, 1), "got Infinity"],
    ["stride 0", slab(0, 2, 0), "overlap with stride 0"],
    ["overlap", slab(2, 2, 3), "blocks of 3 overlap with stride 2"],
    ["two unlimited", slab(3, UNLIMITED, UNLIMITED), "overlap"],
    ["an unknown type", { type: "bogus" }, "unknown type or form bogus"],
    ["a hyperslab without a form", { ...slab(3, 2, 1), form: undefined }, "unknown type or form hyperslab"],
    ["more strides than dimensions", { ...slab(3, 2, 1), stride: [3, 3] }, "expected 1 members, got 2"],
    ["strides of another rank", { ...slab(3, 2, 1), stride: [] }, "expected 1 members, got 0"],
    ["a number too large for the kept size", { ...slab(70000, 2, 1), version: 3, encodedSize: 2 }, "does not fit"],
    ["a version that is not", { type: "points", points: [[1]], version: 3 }, "no version 3"],
    ["a version without a regular form", { ...slab(3, 2, 1), version: 1 }, "no version 1"],
    ["an encoded size that is not", { ...block, version: 3, encodedSize: 3 }, "no version 3 of 3 bytes"],
    ["an end before its start", { ...block, blocks: [{ start: [4], end: [2] }] }, "ends before it starts"],
  ])("refuses %s", (_, selection, message) => {
    const error = errorOf(() => encodeSelection(selection as Selection));
    expect(error.code).toBe("INVALID_ARGUMENT");
    expect(error.message).toContain(message);
  });

  it("round-trips anything at any low bound", () => {
    const low = fc.constantFrom("earliest" as const, "v18" as const, "v110" as const, "v112" as const, "v114" as const);
    fc.assert(
      fc.property(arbitrarySelection(), low, ({ selection, shape }, bound) => {
        const bytes = encodeSelection(selection, { low: bound });
        expect(bytes.length).toBe(sizeOfSelection(selection, { low: bound }));
        const decoded = decodeSelection(bytes);
        expect(decoded.byteLength).toBe(bytes.length);
        expect(encodeSelection(structuredClone(decoded.selection))).toEqual(bytes);
        expect([...selectedCoordinates(decoded.selection, shape)]).toEqual([...selectedCoordinates(selection, shape)]);
      }),
    );
  });

  it("ends with a typed error or a selection that encodes again, whatever the bytes", () => {
    const type = fc.constantFrom([0, 0, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]);
    const version = fc.constantFrom([1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]);
    const rest = fc.array(fc.oneof(fc.constantFrom(0, 1, 2, 4, 8, 255), fc.nat(255)), { maxLength: 60 });
    fc.assert(
      fc.property(type, version, rest, (first, second, tail) => {
        const bytes = Uint8Array.from([...first, ...second, ...tail]);
        let selection: Selection;
        try {
          ({ selection } = decodeSelection(bytes));
        } catch (error) {
          expect(["INVALID_FIELD", "UNEXPECTED_EOF"]).toContain((error as { code: string }).code);
          return;
        }
        expect(decodeSelection(encodeSelection(selection)).selection).toEqual(selection);
      }),
      { numRuns: 2000 },
    );
  });
});
