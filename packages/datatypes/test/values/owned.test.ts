import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Datatype, decodeValues, floatType, integerType } from "../../src/index.ts";

describe("bytes given away", () => {
  it("hold the same values as copied ones, in the same memory", () => {
    const types = [
      integerType(2, true, "BE"),
      integerType(4, false, "BE"),
      integerType(8, true, "BE"),
      integerType(8, true),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...types, floatType(8, 11, "BE")),
        fc.uint8Array({ minLength: 16, maxLength: 64 }),
        (type, random) => {
          const count = Math.floor(random.length / type.size);
          const bytes = random.slice(0, count * type.size);
          const copied = decodeValues(type, bytes.slice(), count);
          const kept = decodeValues(type, bytes, count, { copy: false }) as Float64Array;
          expect(kept).toEqual(copied);
          expect(kept.buffer).toBe(bytes.buffer);
        },
      ),
    );
  });

  it("are kept as a part of a larger buffer, unless they are not aligned or more than the elements", () => {
    const buffer = new ArrayBuffer(32);
    const kept = (type: Datatype, start: number, end: number) => {
      const values = decodeValues(type, new Uint8Array(buffer, start, end - start), 2, { copy: false }) as Int32Array;
      expect(values).toHaveLength(2);
      return values.buffer === buffer;
    };
    for (const order of ["LE", "BE"] as const) {
      expect([
        kept(integerType(4, true, order), 8, 16),
        kept(integerType(4, true, order), 6, 14),
        kept(integerType(4, true, order), 8, 20),
        kept(integerType(2, true, order), 6, 10),
        kept(integerType(1, false, order), 7, 9),
        kept(floatType(8, 11, order), 8, 24),
        kept(floatType(8, 11, order), 4, 20),
      ]).toEqual([true, false, false, true, true, true, false]);
    }
  });

  it("hold 64-bit integers as numbers, in the same memory", () => {
    const exact = fc.bigInt({ min: BigInt(Number.MIN_SAFE_INTEGER), max: BigInt(Number.MAX_SAFE_INTEGER) });
    fc.assert(
      fc.property(fc.array(exact, { minLength: 1 }), fc.boolean(), (integers, signed) => {
        const values = integers.map((value) => (signed || value >= 0n ? value : -value));
        const bytes = new Uint8Array(BigInt64Array.from(values).buffer);
        const numbers = decodeValues(integerType(8, signed), bytes, values.length, { copy: false, int64: "number" });
        expect(Array.from(numbers as Float64Array, BigInt)).toEqual(values);
        expect((numbers as Float64Array).buffer).toBe(bytes.buffer);
      }),
    );
  });

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])("refuse %s as a number", (value) => {
    const bytes = new Uint8Array(BigInt64Array.of(1n, value).buffer);
    const decode = () => decodeValues(integerType(8, true), bytes, 2, { int64: "number" });
    expect(decode).toThrow(`value ${value} of element 1 is no exact number`);
  });
});
