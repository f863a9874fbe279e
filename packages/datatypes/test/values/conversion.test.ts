import { describe, expect, it } from "vitest";
import {
  arrayType,
  compoundType,
  converterOf,
  type Datatype,
  decodeValues,
  encodeValues,
  enumType,
  fixedStringType,
  float16le,
  float32be,
  float32le,
  float64le,
  int8,
  int16be,
  int16le,
  int32le,
  int64le,
  opaqueType,
  uint8,
  uint16le,
  uint32le,
  uint64le,
  vlenStringType,
  vlenType,
} from "../../src/index.ts";

/** Values of one type as values of another. */
function converted(from: Datatype, to: Datatype, values: readonly unknown[]): unknown[] {
  const bytes = encodeValues(from, values);
  const convert = converterOf(from, to);
  const target = convert === undefined ? bytes : convert(bytes, values.length);
  return Array.from(decodeValues(to, target, values.length) as ArrayLike<unknown>);
}

describe("converterOf", () => {
  it("gives none where the bytes are the same", () => {
    expect(converterOf(int32le, { ...int32le, version: 3 })).toBeUndefined();
    expect(converterOf(int32le, int64le)).toBeDefined();
  });

  it.each<[string, Datatype, Datatype, unknown[], unknown[]]>([
    ["integers to smaller ones", int32le, int8, [-300, -128, 5, 127, 128], [-128, -128, 5, 127, 127]],
    // fixtures/external/beyond.h5 has more of the next four.
    ["signed to unsigned", int16le, uint16le, [-1, 0, 32767], [0, 0, 32767]],
    ["signed to unsigned that are only turned round", int16be, uint16le, [-1, 0, 32767], [65535, 0, 32767]],
    ["floats to 64 bits, at their end", float64le, int64le, [2 ** 63, 2 ** 63 + 2048], [-(2n ** 63n), 2n ** 63n - 1n]],
    ["floats to 32 bits, at their end", float32le, uint32le, [2 ** 32, 2 ** 32 + 512], [0, 2 ** 32 - 1]],
    ["64 bits down", int64le, uint8, [-(2n ** 62n), 255n, 2n ** 62n], [0, 255, 255]],
    ["unsigned 64 bits to signed", uint64le, int64le, [2n ** 64n - 1n, 7n], [2n ** 63n - 1n, 7n]],
    ["fractions to integers", float64le, int32le, [-1.9, 1.9, 1e300, -1e300], [-1, 1, 2147483647, -2147483648]],
    // fixtures/external/not-numbers.h5 has the other types.
    ["NaN to this processor's integers", float64le, int32le, [Number.NaN], [-2147483648]],
    ["NaN to wider ones", float64le, uint64le, [Number.NaN], [2n ** 63n]],
    ["NaN to smaller ones", float64le, int8, [Number.NaN], [0]],
    ["NaN in another byte order", float32be, int32le, [Number.NaN], [0]],
    ["NaN to integers in another", float64le, { ...int32le, order: "BE" }, [Number.NaN], [-2147483648]],
    ["NaN of 16 bits", float16le, int64le, [Number.NaN], [0n]],
    ["floats to 64 bits", float64le, uint64le, [-1, 2 ** 63, 2 ** 70], [0n, 2n ** 63n, 2n ** 64n - 1n]],
    ["integers to floats", int64le, float32be, [2n ** 62n, -3n], [2 ** 62, -3]],
    ["floats to smaller ones", float64le, float16le, [65504, 65519, 65520, -1e9], [65504, 65504, Infinity, -Infinity]],
  ])("turns %s", (_, from, to, values, expected) => {
    expect(converted(from, to, values)).toEqual(expected);
  });

  it("cuts and pads strings", () => {
    const [short, spaced] = [fixedStringType(3), fixedStringType(6, "utf8", "spacepad")];
    const ended = fixedStringType(3, "utf8", "nullterm");
    expect(converted(spaced, short, ["abc", "abcdef", ""])).toEqual(["abc", "abc", ""]);
    expect(converted(short, spaced, ["abc", "a", ""])).toEqual(["abc", "a", ""]);
    expect(converted(spaced, ended, ["abcdef"])).toEqual(["ab"]);
  });

  it("converts what is in the heap, which it needs for it", () => {
    const [from, to] = [vlenType(int16be), vlenType(int32le, 4)];
    const objects: Uint8Array[] = [];
    const put = (object: Uint8Array) => ({ address: 1, index: objects.push(object) - 1 });
    const heap = ({ index }: { index: number }) => objects[index]!;
    const bytes = encodeValues(from, [[1, -2], [], [3]], { store: put });
    const memory = (length: number) => new Uint8Array(length);
    const converted = converterOf(from, to, { heap, put, memory })!(bytes, 3);
    expect(decodeValues(to, converted, 3, { heap })).toEqual([
      Int32Array.of(1, -2),
      new Int32Array(0),
      Int32Array.of(3),
    ]);
    expect(() => converterOf(from, to)!(bytes, 3)).toThrow(expect.objectContaining({ code: "UNSUPPORTED_FEATURE" }));
    expect(() => converterOf(from, vlenStringType())).toThrow(expect.objectContaining({ code: "UNSUPPORTED_FEATURE" }));
    const none = { heap: () => new Uint8Array(2), put, memory };
    expect(() => converterOf(from, to, none)!(bytes, 3)).toThrow(expect.objectContaining({ code: "UNEXPECTED_EOF" }));
  });

  it("asks the heap for the memory of what sequences become, which may refuse", () => {
    const [from, to] = [vlenType(fixedStringType(1)), vlenType(fixedStringType(4294967295))];
    const bytes = encodeValues(from, [["a", "b"]], { store: () => ({ address: 1, index: 0 }) });
    const heap = {
      heap: () => Uint8Array.of(97, 98),
      put: () => ({ address: 1, index: 1 }),
      memory: (length: number) => {
        throw new RangeError(`${length} are too many`);
      },
    };
    expect(() => converterOf(from, to, heap)!(bytes, 1)).toThrow("8589934590 are too many");
  });

  it("goes by the names of enumerations and compounds", () => {
    const a = enumType(uint8, [
      { name: "one", value: 1 },
      { name: "two", value: 2 },
      { name: "three", value: 3 },
    ]);
    const b = enumType(int16be, [
      { name: "two", value: 20 },
      { name: "one", value: 10 },
    ]);
    expect(converted(a, b, [2, 1, 3])).toEqual([20, 10, -1]);
    expect(converted(a, int32le, [3])).toEqual([3]);
    const from = compoundType([
      { name: "x", type: int16be },
      { name: "y", type: arrayType([2], int8) },
      { name: "gone", type: int8 },
    ]);
    const to = compoundType([
      { name: "new", type: int8 },
      { name: "y", type: arrayType([2], float64le) },
      { name: "x", type: int32le },
    ]);
    const rows = converted(from, to, [{ x: 1, y: [2, 3], gone: 4 }]);
    expect(rows).toEqual([{ new: 0, y: Float64Array.of(2, 3), x: 1 }]);
  });

  it.each<[string, Datatype, Datatype]>([
    ["text to numbers", fixedStringType(3), int32le],
    ["fixed text to variable", fixedStringType(3), vlenStringType()],
    ["numbers to enumerations", uint8, enumType(uint8, [{ name: "one", value: 1 }])],
    ["opaque bytes to others", opaqueType(3, "a"), opaqueType(3, "b")],
    ["arrays of another shape", arrayType([2], int8), arrayType([3], int8)],
  ])("refuses %s", (_, from, to) => {
    expect(() => converterOf(from, to)).toThrow(expect.objectContaining({ code: "UNSUPPORTED_FEATURE" }));
  });
});
