import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { fixturePath } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bitsToElements } from "../src/bit-transpose.ts";
import { bitshuffleEncoder } from "../src/bitshuffle.ts";
import { bloscEncoder } from "../src/blosc.ts";
import { bzip2Decoder } from "../src/bzip2.ts";
import { communityFilters } from "../src/community-filters.ts";
import type { SyncEncoder } from "../src/filter.ts";
import { filterName } from "../src/index.ts";
import { lz4Decoder, lz4Encoder } from "../src/lz4.ts";
import { decodeSnappy } from "../src/snappy.ts";
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

const framesIn = (file: string) => JSON.parse(readFileSync(fixturePath(`community/${file}`), "utf8")) as Frame[];
const frames = framesIn("zstd.json");
const streams = framesIn("bzip2.streams.json");

describe("bzip2 streams of libbz2", () => {
  const decode = (bytes: Uint8Array, most = maxBytes, expectedBytes?: number) =>
    bzip2Decoder.decode(bytes, [9], { maxBytes: most, expectedBytes });

  it.each(streams)("are undone: $name", ({ stored, decoded }) => {
    expect(decode(unhex(stored))).toEqual(unhex(decoded));
    expect(decode(unhex(`${stored}0000`), maxBytes, decoded.length / 2)).toEqual(unhex(decoded));
  });

  it.each(streams)("are refused cut short, wherever that is: $name", ({ stored }) => {
    const bytes = unhex(stored);
    for (let length = 0; length < bytes.length; length += length < 60 ? 1 : 31) {
      expect(() => decode(bytes.subarray(0, length))).toThrow(/past the end|does not begin/);
    }
  });

  it.each(streams)("never give anything else when a byte is changed: $name", ({ stored, decoded }) => {
    const bytes = unhex(stored);
    for (let at = 0; at < bytes.length; at += at < 60 ? 1 : 31) {
      const changed = bytes.slice();
      changed[at]! ^= 1 << (at % 8);
      try {
        expect(decode(changed)).toEqual(unhex(decoded));
      } catch (error) {
        if (!isH5Error(error, "INVALID_FIELD", "LIMIT_EXCEEDED", "UNSUPPORTED_FEATURE")) throw error;
      }
    }
  });

  it("are refused above the limit", () => {
    const { stored } = streams.find(({ name }) => name === "run")!;
    expect(() => decode(unhex(stored), 4999)).toThrow("limits.chunkBytes allows 4999");
    expect(decode(unhex(stored), 5000)).toHaveLength(5000);
  });
});

describe("a Snappy stream", () => {
  const decode = (stream: string) => {
    const output = new Uint8Array(Number.parseInt(stream.slice(0, 2), 16));
    decodeSnappy(unhex(stream), output, { maxBytes });
    return text(output);
  };

  it.each([
    ["literals", "05 10 6162636465", "abcde"],
    ["a short copy", "09 10 6162636465 01 05", "abcdeabcd"],
    ["a copy that overlaps itself", "0c 08 616263 22 0300", "abc".repeat(4)],
    ["a far copy", "0c 08 616263 23 01000000", `ab${"c".repeat(10)}`],
    ["many literals", `46 f0 45 ${"61".repeat(70)}`, "a".repeat(70)],
  ])("of %s is undone", (_, stream, expected) => {
    expect(decode(stream)).toBe(expected);
  });

  it.each([
    ["of another length", "86 00 10 6162636465", "expected 134 bytes, got 6"],
    ["whose length never ends", "ff ff ff ff ff ff ff ff ff ff", "expected 255 bytes, got"],
    ["without a length", "80", "it ends within a step"],
    ["that ends too soon", "09 10 6162636465", "expected 9 bytes, got 5"],
    ["that ends within literals", "05 10 61626364", "it ends within literals"],
    ["that ends within a copy", "09 10 6162636465 0e 05", "it ends within a step"],
    ["that reaches back before its start", "09 10 6162636465 01 06", "reaches back before its start"],
    ["with a copy from nowhere", "09 10 6162636465 01 00", "reaches back before its start"],
    ["with more than it said", "08 10 6162636465 01 05", "it gives more than 8 bytes"],
  ])("%s is refused", (_, stream, message) => {
    expect(() => decode(stream)).toThrow(message);
  });
});

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
    const prefixes = [...heads, ...[...frames, ...streams].map(({ stored }) => unhex(stored)), new Uint8Array(0)];
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

describe("the encoders", () => {
  /** Bytes that repeat, near and far, and some that do not. */
  const data = fc
    .tuple(fc.array(fc.tuple(fc.uint8Array({ maxLength: 20 }), fc.nat(70)), { maxLength: 12 }), fc.nat(9))
    .map(([parts, more]) =>
      Uint8Array.from(parts.flatMap(([bytes, times]) => [...bytes, ...new Array(times).fill(more)])),
    );

  it.each<readonly [SyncEncoder, readonly number[]]>([
    [lz4Encoder, []],
    [lz4Encoder, [64]],
    [bitshuffleEncoder, [0, 4, 1, 0, 0]],
    [bitshuffleEncoder, [0, 4, 1, 0, 2]],
    [bitshuffleEncoder, [0, 4, 1, 16, 2]],
    [bloscEncoder, [2, 2, 3, 0, 5, 0, 1]],
    [bloscEncoder, [2, 2, 3, 0, 5, 1, 1]],
    [bloscEncoder, [2, 2, 3, 0, 5, 2, 1]],
  ])("$name is undone: parameters %j", async (encoder, params) => {
    await fc.assert(
      fc.asyncProperty(data, async (bytes) => {
        const stored = encoder.encode(bytes, params)!;
        expect(await decoder(encoder.name).decode(stored, params, { maxBytes })).toEqual(bytes);
      }),
    );
  });

  it("make less of what repeats at 65535 bytes, the farthest that LZ4 reaches back", () => {
    const once = Uint8Array.from({ length: 65535 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 24);
    const twice = new Uint8Array(2 * once.length);
    twice.set(once);
    twice.set(once, once.length);
    const stored = lz4Encoder.encode(twice, [])!;
    expect(stored.length).toBeLessThan(1.1 * once.length);
    const decoded = lz4Decoder.decode(stored, [], { maxBytes: twice.length });
    expect(Buffer.from(decoded).equals(twice)).toBe(true);
  });

  it("refuse parameters without meaning", () => {
    const bytes = new Uint8Array(7);
    for (const params of [[], [0, 4, 2, 0, 0], [0, 4, 1, 12, 0], [0, 4, 1, 0, 3]]) {
      expect(() => bitshuffleEncoder.encode(bytes, params)).toThrow("expected whole elements");
    }
    for (const params of [[], [2, 2, 256, 0, 5, 1, 1], [2, 2, 1, 0, 5, 3, 1]]) {
      expect(() => bloscEncoder.encode(bytes, params)).toThrow("expected an element size from 1 to 255");
    }
  });
});
