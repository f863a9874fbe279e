import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { fixturePath } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bitsToElements } from "../src/bit-transpose.ts";
import { communityFilters } from "../src/community-filters.ts";
import { filterName } from "../src/index.ts";
import { lz4Decoder } from "../src/lz4.ts";
import { unhex } from "./chunks.ts";

const decoder = (name: string) => communityFilters.find((one) => one.name === name)!;
const text = (bytes: Uint8Array) => String.fromCharCode(...bytes);
const maxBytes = 1 << 16;

/** A little-endian number of four bytes, in hex. */
const le = (value: number) => Buffer.from(Uint32Array.of(value).buffer).toString("hex");

/** Chunks that were stored by hand after the formats' documents, with the parameters each filter needs. */
const samples: readonly (readonly [name: string, params: readonly number[], hex: string, expected: string])[] = [
  ["lz4", [], "0000000000000000 00000000", ""],
  ["lz4", [], "0000000000000007 00000007 00000007 61626364656667", "abcdefg"],
  ["lz4", [], "0000000000000017 00000017 00000009 3f 616263 0300 00 10 7a", `${"abc".repeat(7)}az`],
  ["blosc", [], `02012201${le(3)}${le(3)}${le(19)} 616263`, "abc"],
];

describe("the list of community filters", () => {
  it("has the registered names", () => {
    for (const { id, name } of communityFilters) expect(filterName(id)).toBe(name);
  });
});

describe.each(samples)("a chunk of %s with parameters %j", (name, params, hex, expected) => {
  it("is undone", async () => {
    expect(text(await decoder(name).decode(unhex(hex), params, { maxBytes }))).toBe(expected);
  });
});

interface Frame {
  name: string;
  stored: string;
  decoded: string;
}

const frames = JSON.parse(readFileSync(fixturePath("community/zstd.json"), "utf8")) as Frame[];

describe("Zstandard frames of libzstd", () => {
  it.each(frames)("are decoded: $name", async ({ stored, decoded }) => {
    expect(await decoder("zstd").decode(unhex(stored), [5], { maxBytes })).toEqual(unhex(decoded));
  });

  it.each(frames)("are refused cut short: $name", async ({ stored }) => {
    const bytes = unhex(stored);
    for (const length of [0, 3, 5, 7, 9, bytes.length >> 1, bytes.length - 1].filter((cut) => cut < bytes.length)) {
      const decoding = decoder("zstd").decode(bytes.subarray(0, length), [], { maxBytes });
      await expect(decoding).rejects.toSatisfy((error) => isH5Error(error, "INVALID_FIELD"));
    }
  });

  it("are refused above the limit, before memory is taken", async () => {
    const { stored } = frames.find(({ name }) => name === "run")!;
    await expect(decoder("zstd").decode(unhex(stored), [], { maxBytes: 4999 })).rejects.toThrow("allows 4999");
    // A window of 3.75 TiB, and a content size of 2^40.
    for (const hex of ["28b52ffd 00 ff 010000", "28b52ffd c0 00 0000000000010000 010000"]) {
      const decoding = decoder("zstd").decode(unhex(hex), [], { maxBytes });
      await expect(decoding).rejects.toSatisfy((error) => isH5Error(error, "LIMIT_EXCEEDED", "INVALID_FIELD"));
    }
  });
});

describe("any bytes", () => {
  const word = fc.oneof(fc.nat(9), fc.nat(64), fc.nat(2 ** 32 - 1));
  const small = fc.oneof(fc.nat(40), fc.constantFrom(0xff, 0x1f, 0xf0));
  it.each(communityFilters)("make $name throw nothing but an H5Error", async (one) => {
    const heads = samples.filter(([name]) => name === one.name).map(([, , hex]) => unhex(hex));
    const prefixes = [...heads, ...frames.map(({ stored }) => unhex(stored)), new Uint8Array(0)];
    const any = fc.tuple(
      fc.constantFrom(...prefixes),
      fc.nat(40),
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.array(small, { maxLength: 60 }).map(Uint8Array.from.bind(Uint8Array)),
      ),
      fc.oneof(fc.array(word, { maxLength: 6 }), fc.constantFrom([0, 3, 2, 0, 0], [0, 3, 4, 0, 2], [0, 3, 1, 8, 3])),
    );
    await fc.assert(
      fc.asyncProperty(any, async ([prefix, cut, rest, params]) => {
        const bytes = Uint8Array.from([...prefix.subarray(0, cut), ...rest]);
        try {
          expect((await one.decode(bytes, params, { maxBytes })).length).toBeLessThanOrEqual(maxBytes);
        } catch (error) {
          if (!isH5Error(error, "INVALID_FIELD", "LIMIT_EXCEEDED", "UNSUPPORTED_FEATURE")) throw error;
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the LZ4 decoder", () => {
  const chunk = (hex: string, total: number) => {
    const block = unhex(hex);
    return unhex(`00000000${be(total)}${be(total)}${be(block.length)}${hex}`);
  };
  it.each([
    ["a match before the start", "10 61 0200", 5, "reaches back before its start"],
    ["an offset of 0", "10 61 0000", 5, "reaches back before its start"],
    ["literals cut short", "30 61", 3, "it ends within literals"],
    ["an offset cut short", "10 61 01", 6, "it ends within an offset"],
    ["a length cut short", "f0", 30, "it ends within a length"],
    ["too many bytes", "30 616263", 2, "it gives more than 2 bytes"],
    ["too few bytes", "30 616263", 5, "expected 5 bytes, got 3"],
  ])("refuses %s", (_, hex, total, message) => {
    expect(() => lz4Decoder.decode(chunk(hex, total), [], { maxBytes })).toThrow(message);
  });

  it("takes no memory for a size above the limit", () => {
    expect(() => lz4Decoder.decode(chunk("10 61", 70000), [], { maxBytes })).toThrow("limits.chunkBytes allows 65536");
  });
});

const be = (value: number) => value.toString(16).padStart(8, "0");

describe("bits to elements", () => {
  it("puts bit k of byte b of element 8i+j where it was", () => {
    const any = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }));
    fc.assert(
      fc.property(any, fc.infiniteStream(fc.nat(255)), ([size, eights], stream) => {
        const count = 8 * eights;
        const elements = Uint8Array.from({ length: size * count }, () => stream.next().value);
        const sorted = new Uint8Array(size * count);
        for (let bit = 0; bit < 8 * size * count; bit++) {
          const [element, k] = [Math.floor(bit / (8 * size)), bit % (8 * size)];
          const value = (elements[element * size + (k >> 3)]! >> (k & 7)) & 1;
          sorted[k * eights + (element >> 3)]! |= value << (element & 7);
        }
        const output = new Uint8Array(size * count);
        bitsToElements(sorted, size, count, output);
        expect(output).toEqual(elements);
      }),
    );
  });
});
