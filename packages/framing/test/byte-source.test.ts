import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { asBytes, type ByteSource, bytesSource, checkRange, offsetSource } from "../src/byte-source.ts";
import { patternBytes } from "./bytes.ts";

const invalid = expect.objectContaining({ code: "INVALID_ARGUMENT" });

describe("checkRange", () => {
  it("takes ranges up to 2^53-1, empty ones too", () => {
    checkRange(0, 0);
    checkRange(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  });

  it.each([
    [-1, 0],
    [2, 1],
    [0.5, 1],
    [0, Number.NaN],
    [0, 2 ** 53],
    [0, Number.POSITIVE_INFINITY],
  ])("refuses [%d, %d)", (start, end) => expect(() => checkRange(start, end)).toThrow(invalid));
});

describe("asBytes", () => {
  it("takes buffers and views without copying, from any realm", () => {
    const buffer = new ArrayBuffer(8);
    expect(asBytes(buffer).buffer).toBe(buffer);
    const shared = new SharedArrayBuffer(8);
    expect(asBytes(shared).buffer).toBe(shared);
    const view = new Uint8Array(buffer, 2, 3);
    expect(asBytes(view)).toBe(view);
    const foreign = runInNewContext("new Uint8Array([1, 2, 3]).subarray(1)") as Uint8Array;
    expect(asBytes(foreign)).toEqual(new Uint8Array([2, 3]));
    expect(asBytes(foreign).buffer).toBe(foreign.buffer);
    expect(asBytes(runInNewContext("new ArrayBuffer(3)") as ArrayBuffer)).toHaveLength(3);
  });

  it.each([5, "text", undefined, null, [1, 2], {}])("refuses %j", (answer) =>
    expect(() => asBytes(answer as never)).toThrow(invalid),
  );
});

describe("bytesSource", () => {
  it("answers views, cut at the end", () => {
    const bytes = patternBytes(10);
    const source = bytesSource(bytes.subarray(2));
    expect(source.byteLength).toBe(8);
    expect(source.slice(6, 100)).toEqual(bytes.subarray(8));
    expect(source.peek!(8, 9)).toHaveLength(0);
    expect(source.peek!(20, 2 ** 53 - 1)).toHaveLength(0);
    expect((source.slice(0, 1) as Uint8Array).buffer).toBe(bytes.buffer);
  });
});

describe("offsetSource", () => {
  const bytes = patternBytes(100);

  it("moves every way of reading", async () => {
    const calls: unknown[] = [];
    const inner: ByteSource = {
      byteLength: 100,
      slice: (start, end, options) => {
        calls.push(options);
        return bytes.subarray(start, end);
      },
      peek: (start, end) => bytes.subarray(start, end),
      readInto: async (start, target, options) => {
        calls.push(options);
        target.set(bytes.subarray(start, start + target.length));
        return target.length;
      },
    };
    const source = offsetSource(inner, 10);
    const options = { signal: new AbortController().signal };
    expect(source.byteLength).toBe(90);
    expect(source.slice(0, 5, options)).toEqual(bytes.subarray(10, 15));
    expect(source.peek!(1, 3)).toEqual(bytes.subarray(11, 13));
    const target = new Uint8Array(4);
    expect(await source.readInto!(2, target, options)).toBe(4);
    expect(target).toEqual(bytes.subarray(12, 16));
    expect(calls).toEqual([options, options]);
  });

  it("has only what the source has, and follows its length", () => {
    const inner: { byteLength: number | undefined; slice: ByteSource["slice"] } = {
      byteLength: undefined,
      slice: () => new Uint8Array(0),
    };
    const source = offsetSource(inner, 10);
    expect(source.peek).toBeUndefined();
    expect(source.readInto).toBeUndefined();
    expect(source.byteLength).toBeUndefined();
    inner.byteLength = 4;
    expect(source.byteLength).toBe(0);
    expect(offsetSource(inner, 0)).toBe(inner);
  });

  it("never asks beyond 2^53-1", () => {
    const asked: number[] = [];
    const slice: ByteSource["slice"] = (...range) => {
      asked.push(range[0], range[1]);
      return new Uint8Array(0);
    };
    offsetSource({ slice }, 512).slice(2 ** 53 - 600, 2 ** 53 - 1);
    expect(asked).toEqual([2 ** 53 - 88, 2 ** 53 - 1]);
  });
});
