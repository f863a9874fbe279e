import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeValues, floatType, integerType } from "../../src/index.ts";

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

  it("are copied where they are part of a larger buffer", () => {
    const bytes = new Uint8Array(16).subarray(0, 8);
    const values = decodeValues(integerType(4, true), bytes, 2, { copy: false }) as Int32Array;
    expect(values.buffer.byteLength).toBe(8);
  });
});
