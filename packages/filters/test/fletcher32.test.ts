import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fletcher32, fletcher32Decoder, fletcher32Encoder } from "../src/fletcher32.ts";
import { chunkCases, unhex } from "./chunks.ts";

const options = { maxBytes: 1 << 20, address: 512 };
const cases = chunkCases("fletcher-").filter(({ filters }) => filters.length === 1);

/** The sums modulo 65535, where 0 stands for a multiple only if there was nothing but zeros. */
function fletcher32Slowly(bytes: Uint8Array): number {
  let [sum1, sum2] = [0, 0];
  for (let at = 0; at < bytes.length; at += 2) {
    sum1 += bytes[at]! * 256 + (bytes[at + 1] ?? 0);
    sum2 += sum1;
  }
  const reduced = (sum: number): number => (sum === 0 ? 0 : sum % 65535 || 65535);
  return reduced(sum2) * 65536 + reduced(sum1);
}

describe("fletcher32", () => {
  it("is what the plain sums give, for every length and alignment", () => {
    const any = fc.uint8Array({ maxLength: 3000 });
    const full = fc.integer({ min: 1, max: 3000 }).map((length) => new Uint8Array(length).fill(255));
    fc.assert(
      fc.property(fc.oneof(any, full), fc.nat(3), (bytes, shift) => {
        const moved = Uint8Array.of(...new Uint8Array(shift), ...bytes).subarray(shift);
        expect(fletcher32(moved)).toBe(fletcher32Slowly(bytes));
      }),
      { numRuns: 500 },
    );
  });

  it.each(cases)("accepts the sum of $name with swapped bytes, as releases before 1.6.3 stored it", ({ chunks }) => {
    for (const { stored, decoded } of chunks) {
      const end = decoded.length;
      const [a, b, c, d] = stored.subarray(end) as unknown as [number, number, number, number];
      const old = stored.slice();
      old.set([b, a, d, c], end);
      expect(fletcher32Decoder.decode(old, [], options)).toEqual(decoded);
    }
  });

  it("finds any changed byte", () => {
    const { stored } = cases.find(({ name }) => name === "fletcher-odd")!.chunks[0]!;
    for (const at of [0, 1, 500, 1001, 1002, 1003, 1006]) {
      const damaged = stored.slice();
      damaged[at]! ^= 0x10;
      expect(() => fletcher32Decoder.decode(damaged, [], options)).toThrow(/fletcher32 filter: expected checksum 0x/);
    }
  });

  it("says what it expected", () => {
    const run = () => fletcher32Decoder.decode(unhex("0102 0000 0000"), [], options);
    expect(run).toThrow("fletcher32 filter: expected checksum 0x01020102, got 0x00000000 (at address 512)");
    expect(() => fletcher32Decoder.decode(unhex("010203"), [], options)).toThrow("expected at least 4 bytes, got 3");
  });

  it("is 0 of nothing and of zeros", () => {
    expect(fletcher32(new Uint8Array())).toBe(0);
    expect(fletcher32(new Uint8Array(1001))).toBe(0);
    expect(fletcher32Decoder.decode(new Uint8Array(4), [], options)).toEqual(new Uint8Array());
  });

  it("is undone", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => {
        expect(fletcher32Decoder.decode(fletcher32Encoder.encode(bytes, [])!, [], options)).toEqual(bytes);
      }),
    );
  });
});
