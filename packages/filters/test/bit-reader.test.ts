import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BitReader, readFields } from "../src/bit-reader.ts";
import { BitWriter } from "../src/bit-writer.ts";

const field = fc
  .integer({ min: 0, max: 32 })
  .chain((width) => fc.record({ width: fc.constant(width), value: fc.integer({ min: 0, max: 2 ** width - 1 }) }));

describe("bit fields", () => {
  it("are read as they were written", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(field, fc.nat(100)), { maxLength: 100 }), (fields) => {
        const writer = new BitWriter(new Uint8Array(2000), 3);
        for (const one of fields) {
          if (typeof one === "number") writer.zeros(one);
          else writer.write(one.value, one.width);
        }
        const bytes = writer.bytes.subarray(0, writer.length);
        const reader = new BitReader(bytes, 3, () => {
          throw new Error("past the end");
        });
        for (const one of fields) {
          if (typeof one === "number") expect(reader.zeros()).toBe(one);
          else expect(reader.read(one.width)).toBe(one.value);
        }
        expect(() => reader.read(8)).toThrow("past the end");
        expect(() => reader.zeros()).toThrow("past the end");
      }),
    );
  });

  it("of one width are read at once, at any distance from each other", () => {
    const layouts = fc.record({ width: fc.nat(32), gap: fc.nat(40), before: fc.nat(20), seeds: fc.array(fc.nat()) });
    fc.assert(
      fc.property(layouts, ({ width, gap, before, seeds }) => {
        const values = seeds.map((seed) => (seed * 3) % 2 ** width);
        const writer = new BitWriter(new Uint8Array(2000), 0);
        writer.zeros(before);
        for (const value of values) {
          writer.write(value, width);
          writer.zeros(gap);
        }
        const fields = new Uint32Array(values.length);
        // The gaps are a bit longer, for the one that ends each.
        const length = Math.ceil((before + 1 + values.length * (width + gap + 1)) / 8);
        readFields(writer.bytes.subarray(0, length), before + 1, width + gap + 1, width, fields);
        expect([...fields]).toEqual(values);
      }),
    );
  });

  it("of one width and runs of zeros are read many at once, between others", () => {
    const samples = fc.array(fc.record({ zeros: fc.nat(70), low: fc.nat() }), { maxLength: 40 });
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 32 }), fc.nat(9), (given, width, before) => {
        const writer = new BitWriter(new Uint8Array(2000), 0);
        writer.zeros(before);
        for (const { zeros } of given) writer.zeros(zeros);
        for (const { low } of given) writer.write(low % 2 ** width, width);
        const reader = new BitReader(writer.bytes.subarray(0, writer.length), 0, () => {
          throw new Error("past the end");
        });
        expect(reader.zeros()).toBe(before);
        const runs = new Int32Array(given.length + 1);
        reader.manyZeros(runs, 0, given.length, 2);
        expect([...runs]).toEqual([...given.map(({ zeros }) => 4 * zeros), 0]);
        const lows = new Int32Array(given.length + 1).fill(1);
        reader.addFields(lows, 0, given.length, width);
        expect([...new Uint32Array(lows.buffer)]).toEqual([
          ...given.map(({ low }) => ((low % 2 ** width) + 1) % 2 ** 32),
          1,
        ]);
        expect(() => reader.addFields(lows, 0, 1, 32)).toThrow("past the end");
        expect(() => reader.manyZeros(lows, 0, 1, 0)).toThrow("past the end");
      }),
    );
  });

  it("start with the most significant bit", () => {
    const writer = new BitWriter(new Uint8Array(2), 0);
    writer.write(0b101, 3);
    writer.zeros(3);
    expect(writer.bytes).toEqual(Uint8Array.of(0b10100010, 0));
    expect([writer.wholeBytes, writer.length]).toEqual([0, 1]);
    writer.zeros(0);
    expect([writer.wholeBytes, writer.length]).toEqual([1, 1]);
  });

  it("that do not fit are dropped and counted", () => {
    const writer = new BitWriter(new Uint8Array(1), 0);
    writer.write(0xabcdef, 24);
    writer.zeros(16);
    expect(writer.bytes).toEqual(Uint8Array.of(0xab));
    expect([writer.wholeBytes, writer.length]).toEqual([5, 6]);
  });
});
