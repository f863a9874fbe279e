import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lzfDecoder, lzfEncoder } from "../src/lzf.ts";
import { unhex } from "./chunks.ts";

const options = { maxBytes: 100000, address: 8 };
const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);

describe("the LZF decoder", () => {
  it.each([
    ["literals", "02 616263", "abc"],
    ["a short reference", "02 616263 20 02", "abcabc"],
    ["a reference into its own output", "00 61 80 00", "aaaaaaa"],
    ["a long reference", "01 6162 e0 03 01", "abababababababab".slice(0, 14)],
  ])("undoes %s", (_, hex, expected) => {
    for (const expectedBytes of [undefined, 1, expected.length, 1e9]) {
      expect(text(lzfDecoder.decode(unhex(hex), [], { ...options, expectedBytes }))).toBe(expected);
    }
  });

  it("undoes any steps, into memory of any size", () => {
    const step = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 32 }),
      fc.record({ length: fc.integer({ min: 3, max: 264 }), back: fc.oneof(fc.nat(9), fc.nat(8191)) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), fc.nat(5000), (steps, expectedBytes) => {
        const stored = [0, 7];
        const expected = [7];
        for (const one of steps) {
          if (one instanceof Uint8Array) {
            stored.push(one.length - 1, ...one);
            expected.push(...one);
            continue;
          }
          const { length } = one;
          const offset = one.back % expected.length;
          stored.push(
            (Math.min(7, length - 2) << 5) | (offset >>> 8),
            ...(length < 9 ? [] : [length - 9]),
            offset & 255,
          );
          for (let i = 0; i < length; i++) expected.push(expected[expected.length - 1 - offset]!);
        }
        const decoded = lzfDecoder.decode(Uint8Array.from(stored), [], { ...options, expectedBytes });
        expect(decoded).toEqual(Uint8Array.from(expected));
      }),
    );
  });

  it("reaches back 8192 bytes", () => {
    const stored: number[] = [0, 7];
    for (let i = 0; i < 273; i++) stored.push(29, ...Array.from({ length: 30 }, (_, j) => j));
    stored.push(0, 9, 0x20 | 31, 255);
    const decoded = lzfDecoder.decode(Uint8Array.from(stored), [], options);
    expect(decoded).toHaveLength(1 + 8190 + 1 + 3);
    expect([...decoded.subarray(-3)]).toEqual([7, 0, 1]);
  });

  it("finds the size by itself, or in the third parameter, or is told", () => {
    const data = new Uint8Array(5000);
    const stored = lzfEncoder.encode(data, [])!;
    expect(stored.length).toBeLessThan(100);
    expect(lzfDecoder.decode(stored, [], options)).toEqual(data);
    expect(lzfDecoder.decode(stored, [4, 261, 5000], options)).toEqual(data);
    expect(lzfDecoder.decode(stored, [4, 261, 4294967295], options)).toEqual(data);
    expect(lzfDecoder.decode(stored, [], { ...options, expectedBytes: 5000 })).toEqual(data);
  });

  it.each([
    ["literals cut short", "02 6162", "it goes on past the end"],
    ["a reference cut short", "00 61 80", "it goes on past the end"],
    ["a long reference cut short", "00 61 e0", "it goes on past the end"],
    ["a long reference without its offset", "00 61 e0 01", "it goes on past the end"],
    ["a reference before the start", "00 61 80 01", "reaches back before its start"],
  ])("refuses %s", (_, hex, message) => {
    expect(() => lzfDecoder.decode(unhex(hex), [], options)).toThrow(message);
  });

  it("stops at the limit", () => {
    const stored = lzfEncoder.encode(new Uint8Array(5000), [])!;
    expect(() => lzfDecoder.decode(stored, [], { maxBytes: 4999 })).toThrow("limits.chunkBytes allows 4999");
    expect(lzfDecoder.decode(stored, [], { maxBytes: 5000 })).toHaveLength(5000);
  });
});

describe("the LZF encoder", () => {
  it("is undone where it gains anything", () => {
    const repetitive = fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.array(fc.nat(19), { maxLength: 2000 }))
      .map(([alphabet, picks]) => Uint8Array.from(picks, (i) => alphabet[i % alphabet.length]!));
    fc.assert(
      fc.property(fc.oneof(repetitive, fc.uint8Array({ maxLength: 500 })), (bytes) => {
        const stored = lzfEncoder.encode(bytes, []);
        if (stored === undefined) return;
        expect(stored.length).toBeLessThan(bytes.length);
        expect(lzfDecoder.decode(stored, [], options)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it("gives nothing where nothing is gained", () => {
    expect(lzfEncoder.encode(new Uint8Array(), [])).toBeUndefined();
    expect(lzfEncoder.encode(Uint8Array.of(1, 2, 3), [])).toBeUndefined();
    let state = 1;
    const noise = Uint8Array.from({ length: 5000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >>> 24;
    });
    expect(lzfEncoder.encode(noise, [])).toBeUndefined();
  });
});
