import { deflateSync, gzipSync } from "node:zlib";
import { isH5Error } from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deflateEncoder as encoderOnNode } from "../src/deflate.node.ts";
import { deflateEncoder as encoderByPako } from "../src/deflate.ts";
import type { DecodeOptions, Decoder } from "../src/filter.ts";
import { deflateDecoder as onNode } from "../src/inflate.node.ts";
import { deflateDecoder as portable } from "../src/inflate.ts";

const big = Uint8Array.from({ length: 200000 }, (_, i) => (i * i) >>> 7);
const stream = new Uint8Array(deflateSync(big));
const small = Uint8Array.from({ length: 300 }, (_, i) => i % 7);
const smallStream = new Uint8Array(deflateSync(small));
const lastByteOff = smallStream.slice();
lastByteOff[lastByteOff.length - 1]! ^= 1;

type Outcome = Uint8Array | { code: string; message: string };

async function outcome(decode: () => Uint8Array | Promise<Uint8Array>): Promise<Outcome> {
  try {
    return await decode();
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** What all ways to inflate give, which must be one thing. */
async function inflated(bytes: Uint8Array, options: DecodeOptions): Promise<Outcome> {
  const first = await outcome(() => portable.decode(bytes, [6], options));
  const others: [Decoder, "decode" | "decodeSync"][] = [
    [portable, "decodeSync"],
    [onNode, "decode"],
    [onNode, "decodeSync"],
  ];
  for (const [decoder, method] of others) {
    const other = await outcome(() => decoder[method]!(bytes, [6], options));
    if (other instanceof Uint8Array && first instanceof Uint8Array) expect(Buffer.compare(other, first)).toBe(0);
    else expect(other).toEqual(first);
  }
  return first;
}

describe("both inflaters", () => {
  it.each([
    ["expected", 200000],
    ["not expected", undefined],
    ["expected smaller", 3],
    ["expected larger", 1e9],
  ])("give what was deflated, its size %s", async (_, expectedBytes) => {
    await inflated(stream, { expectedBytes, maxBytes: Number.MAX_SAFE_INTEGER });
    const output = (await inflated(stream, { expectedBytes, maxBytes: 200000 })) as Uint8Array;
    expect(output).not.toBeInstanceOf(Buffer);
    expect(Buffer.compare(output, big)).toBe(0);
  });

  it("work at the sizes where the thread pool begins", async () => {
    for (const size of [65535, 65536, 65537]) {
      const data = big.slice(0, size);
      const output = await inflated(deflateSync(data), { expectedBytes: size, maxBytes: size });
      expect(Buffer.compare(output as Uint8Array, data)).toBe(0);
    }
    expect(onNode.decode(smallStream, [], { expectedBytes: 300, maxBytes: 300 })).toBeInstanceOf(Uint8Array);
    expect(onNode.decode(stream, [], { expectedBytes: 200000, maxBytes: 200000 })).toBeInstanceOf(Promise);
  });

  it("ignore bytes after the end of the stream", async () => {
    const options = { expectedBytes: 300, maxBytes: 300 };
    for (const tail of [[0], [1, 2, 3], [...smallStream]]) {
      expect(await inflated(Uint8Array.of(...smallStream, ...tail), options)).toEqual(small);
    }
  });

  it("inflate nothing to nothing, and views of any buffer", async () => {
    expect(await inflated(deflateSync(new Uint8Array()), { maxBytes: 10 })).toEqual(new Uint8Array());
    const shared = new Uint8Array(new SharedArrayBuffer(smallStream.length + 5)).subarray(5);
    shared.set(smallStream);
    expect(await inflated(shared, { maxBytes: 300 })).toEqual(small);
  });

  it("refuse a truncated stream, wherever it is cut", async () => {
    for (let length = 0; length < smallStream.length; length++) {
      expect(
        await inflated(smallStream.subarray(0, length), { expectedBytes: 300, maxBytes: 1000, address: 64 }),
      ).toEqual({
        code: "INVALID_FIELD",
        message: "deflate filter: bad zlib stream: it goes on past the end of the chunk (at address 64)",
      });
    }
  });

  it.each([
    ["no header", Uint8Array.of(1, 2, 3, 4), "incorrect header check"],
    ["a gzip header", new Uint8Array(gzipSync(small)), "incorrect header check"],
    ["a wrong checksum", lastByteOff, "incorrect data check"],
    ["a dictionary", new Uint8Array(deflateSync(small, { dictionary: Buffer.from("abc") })), "it needs a dictionary"],
    ["a bad block", Uint8Array.of(0x78, 0x9c, 0xff, 0xff, 0xff), "invalid block type"],
  ])("refuse %s", async (_, bytes, reason) => {
    expect(await inflated(bytes, { expectedBytes: 300, maxBytes: 1000 })).toEqual({
      code: "INVALID_FIELD",
      message: `deflate filter: bad zlib stream: ${reason}`,
    });
  });

  it("stop once more than the limit comes out", async () => {
    const bomb = new Uint8Array(deflateSync(new Uint8Array(1e6)));
    for (const maxBytes of [1, 1000, 65536, 999999]) {
      expect(await inflated(bomb, { expectedBytes: maxBytes, maxBytes })).toMatchObject({ code: "LIMIT_EXCEEDED" });
    }
    expect(await inflated(bomb, { maxBytes: 1e6 })).toHaveLength(1e6);
  });

  it("agree on any bytes after a zlib header", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await inflated(Uint8Array.of(0x78, 0x9c, ...bytes), { maxBytes: 100000 });
      }),
    );
  });
});

describe.each([
  ["pako", encoderByPako],
  ["node:zlib", encoderOnNode],
])("the deflate encoder over %s", (_, encoder) => {
  it("is undone by the decoder at every level, on both sides of where the thread pool begins", async () => {
    const short = fc.uint8Array({ maxLength: 3000 });
    const long = fc.tuple(short, fc.integer({ min: 16380, max: 16390 })).map(([bytes, length]) => {
      return Uint8Array.from({ length }, (__, i) => bytes[i % bytes.length] ?? 0);
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(short, long), fc.integer({ min: 0, max: 9 }), async (bytes, level) => {
        const encoded = (await encoder.encode(bytes, [level]))!;
        expect(encoded).not.toBeInstanceOf(Buffer);
        const inflatedAgain = portable.decode(encoded, [level], { maxBytes: 20000 }) as Uint8Array;
        expect(Buffer.compare(inflatedAgain, bytes)).toBe(0);
        expect(Buffer.compare((await encoder.encode(bytes, [level]))!, encoded)).toBe(0);
      }),
    );
  });

  it.each([[[]], [[10]], [[-1]], [[1.5]], [[1, 2]]])("refuses parameters %j", (params) => {
    expect(() => encoder.encode(small, params)).toThrow("the level 0 to 9");
  });
});

it("a deflate encoder on Node answers at once for small chunks, and later for large ones", () => {
  expect(encoderOnNode.encode(big.subarray(0, 16383), [1])).toBeInstanceOf(Uint8Array);
  expect(encoderOnNode.encode(big.subarray(0, 16384), [1])).toBeInstanceOf(Promise);
});
