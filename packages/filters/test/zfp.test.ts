import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { fixturePath } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { zfpDecoder } from "../src/zfp.ts";
import { unhex } from "./chunks.ts";

interface Chunk {
  readonly name: string;
  readonly params: readonly number[];
  readonly stored: string;
  readonly decoded: string;
}

const chunks = JSON.parse(readFileSync(fixturePath("community/zfp.chunks.json"), "utf8")) as Chunk[];
const maxBytes = 1 << 16;
const decode = (bytes: Uint8Array, params: readonly number[], most = maxBytes) =>
  zfpDecoder.decode(bytes, params, { maxBytes: most });

describe.each(chunks)("a chunk of the plugin, $name,", ({ params, stored, decoded }) => {
  it("is undone to the very bytes", () => {
    expect(decode(unhex(stored), params)).toEqual(unhex(decoded));
  });

  it("that a big-endian machine wrote is in its order", () => {
    const turned = params.map((word) => Buffer.from(Uint32Array.of(word).buffer).swap32().readUInt32LE());
    const size = params[2]! % 2 === 1 ? 8 : 4;
    const expected = unhex(decoded);
    for (let at = 0; at < expected.length; at += size) expected.subarray(at, at + size).reverse();
    expect(decode(unhex(stored), turned)).toEqual(expected);
  });

  it("is refused cut short", () => {
    const bytes = unhex(stored);
    for (let length = 0; length < bytes.length - 8; length += 7) {
      expect(() => decode(bytes.subarray(0, length), params)).toThrow("past the end");
    }
  });

  it("is refused above the limit, before memory is taken", () => {
    expect(() => decode(unhex(stored), params, decoded.length / 2 - 1)).toThrow("limits.chunkBytes allows");
  });
});

describe("the parameters", () => {
  const bytes = new Uint8Array(300);
  /** A header of one dimension of four single numbers. */
  const header = (mode: bigint, codec = 5n) => {
    const all = 0x70667an | (codec << 24n) | (2n << 32n) | (3n << 36n) | (mode << 84n);
    return [0, ...Array.from({ length: 5 }, (_, i) => Number((all >> BigInt(32 * i)) & 0xffffffffn))];
  };

  it("say the mode", () => {
    for (const mode of [0n, 2047n, 2048n, 2111n, 2176n, 2177n, 4094n])
      expect(decode(bytes, header(mode))).toHaveLength(16);
    expect(decode(bytes, header(0xfffn | (9n << 12n) | (9n << 27n) | (63n << 42n) | (16000n << 49n)))).toHaveLength(16);
  });

  it.each<readonly [string, readonly number[], string]>([
    ["none", [], "expected a zfp header, got []"],
    ["other words", [0, 1, 2, 3], "expected a zfp header, got [0,1,2,3]"],
    ["a header cut short", header(0n).slice(0, 3), "expected a zfp header"],
    ["another codec", header(0n, 4n), "zfp codec 4"],
    ["more bit planes than there are", header(2112n), "expected a zfp header"],
    ["fewer bits at most than at least", header(0xfffn | (9n << 12n) | (8n << 27n)), "expected a zfp header"],
  ])("are refused: %s", (_, params, message) => {
    expect(() => decode(bytes, params)).toThrow(message);
  });

  it("of a field larger than the bits could be take no memory", () => {
    const large = [0, 0x0570667a, 2 | 0xfffffff0, 0xffff, 0];
    expect(() => decode(bytes, large, Number.MAX_SAFE_INTEGER)).toThrow("past the end of the 300 bytes");
  });
});

describe("any bytes", () => {
  it("give the length that the header says, or an H5Error", () => {
    const word = fc.oneof(fc.nat(9), fc.nat(2 ** 32 - 1));
    const any = fc.tuple(fc.constantFrom(...chunks), fc.uint8Array({ maxLength: 300 }), fc.nat(6), word, fc.boolean());
    fc.assert(
      fc.property(any, ([{ params, decoded }, bytes, at, value, keep]) => {
        try {
          const output = decode(bytes, keep ? params : params.map((old, i) => (i === at ? value : old)));
          if (keep) expect(output.length).toBe(decoded.length / 2);
          else expect(output.length).toBeLessThanOrEqual(maxBytes);
        } catch (error) {
          if (!isH5Error(error, "INVALID_FIELD", "LIMIT_EXCEEDED", "UNSUPPORTED_FEATURE")) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});
