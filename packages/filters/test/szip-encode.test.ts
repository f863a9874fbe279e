import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { szipDecoder } from "../src/szip.ts";
import { szipEncoder } from "../src/szip-encode.ts";

const options = { maxBytes: 1 << 16 };

describe("the szip encoder", () => {
  it("is undone, whatever it chooses", () => {
    const parameters = fc.record({
      mask: fc.constantFrom(128 + 4 + 8, 128 + 4 + 16, 128 + 32 + 8, 128 + 32 + 16),
      half: fc.integer({ min: 1, max: 16 }),
      bits: fc.oneof(fc.integer({ min: 1, max: 24 }), fc.constantFrom(32, 64)),
      line: fc.integer({ min: 1, max: 200 }),
    });
    const shape = fc.record({
      steps: fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 300 }),
      stretch: fc.nat(70),
    });
    fc.assert(
      fc.property(parameters, shape, ({ mask, half, bits, line }, { steps, stretch }) => {
        const size = bits > 32 ? 8 : bits > 16 ? 4 : bits > 8 ? 2 : 1;
        const pixels: bigint[] = [];
        let pixel = 0;
        for (const step of steps) {
          pixel += step;
          // Long equal runs make zero blocks.
          for (let i = 0; i <= (step === 0 ? stretch : 0); i++) pixels.push(BigInt.asUintN(bits, BigInt(pixel)));
        }
        const chunk = new Uint8Array(pixels.length * size);
        for (const [i, value] of pixels.entries()) {
          for (let byte = 0; byte < size; byte++) {
            const at = (mask & 16) !== 0 ? size - 1 - byte : byte;
            chunk[i * size + at] = Number((value >> BigInt(8 * byte)) & 255n);
          }
        }
        const params = [mask, 2 * half, bits, line];
        const encoded = szipEncoder.encode(chunk, params);
        if (encoded !== undefined) expect(szipDecoder.decode(encoded, params, options)).toEqual(chunk);
      }),
      { numRuns: 500 },
    );
  });

  it("gives nothing where the code would be larger than the data", () => {
    const noise = Uint8Array.from({ length: 64 }, (_, i) => (i * i * 37) & 255);
    expect(szipEncoder.encode(noise, [128 + 4 + 8, 8, 8, 64])).toBeUndefined();
  });

  it("gives nothing for what are no whole pixels, and for bits above those of a pixel", () => {
    expect(szipEncoder.encode(new Uint8Array(33), [140, 8, 16, 8])).toBeUndefined();
    expect(szipEncoder.encode(new Uint8Array(34), [140, 8, 16, 8])).toBeDefined();
    expect(szipEncoder.encode(new Uint8Array(32).fill(8), [172, 8, 3, 8])).toBeUndefined();
    expect(szipEncoder.encode(new Uint8Array(32).fill(7), [172, 8, 3, 8])).toBeDefined();
  });

  it("refuses parameters out of range", () => {
    expect(() => szipEncoder.encode(new Uint8Array(8), [140, 7, 8, 8])).toThrow("an even number of pixels per block");
  });
});
