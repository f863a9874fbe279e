import { countingSource } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ByteSource, bytesSource } from "../../src/byte-source.ts";
import type { Plan } from "../../src/plan.ts";
import { run } from "../../src/run.ts";
import { cachedSource } from "../../src/source/cached.ts";
import { patternBytes } from "../bytes.ts";
import { deferred } from "../deferred.ts";

const bytes = patternBytes(1000);
const small = { blockSize: 100, maxBytes: 500 };

/** A source whose answers come when told, or fail. */
function heldSource() {
  const asked: {
    start: number;
    end: number;
    signal: AbortSignal | undefined;
    fail: (error: unknown) => void;
    answer: () => void;
  }[] = [];
  const source: ByteSource = {
    slice(start, end, options) {
      const { promise, resolve, reject } = deferred<Uint8Array>();
      const answer = (): void => resolve(bytes.subarray(start, end));
      asked.push({ start, end, signal: options?.signal, answer, fail: reject });
      return promise;
    },
  };
  return { source, asked };
}

describe("cachedSource", () => {
  it("fetches whole blocks, and none twice", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, small);
    expect(source.byteLength).toBe(1000);
    expect(await source.slice(110, 120)).toEqual(bytes.subarray(110, 120));
    expect(await source.slice(100, 200)).toEqual(bytes.subarray(100, 200));
    expect(await source.slice(50, 250)).toEqual(bytes.subarray(50, 250));
    expect(inner.reads).toEqual([
      { start: 100, end: 200 },
      { start: 0, end: 100 },
      { start: 200, end: 300 },
    ]);
  });

  it("brings more and more ahead where fetches follow each other, from several places", async () => {
    const inner = countingSource(patternBytes(10000));
    const source = cachedSource(inner, { blockSize: 100, maxBytes: 5000 });
    for (let at = 0; at < 20; at++)
      for (const from of [1000, 6000]) await source.slice(from + at * 100, from + at * 100 + 9);
    const row = [0, 100, 200, 500, 1000, 1900, 3200];
    expect(inner.reads).toEqual(
      row
        .slice(0, -1)
        .flatMap((start, i) => [1000, 6000].map((from) => ({ start: from + start, end: from + row[i + 1]! }))),
    );
  });

  it("brings nothing ahead that it has, that is past the end, or that takes more than a quarter of what it may keep", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, { blockSize: 100, maxBytes: 1000 });
    await source.slice(500, 501);
    for (let start = 100; start < 1000; start += 100) await source.slice(start, start + 1);
    expect(inner.reads.map(({ start, end }) => [start, end])).toEqual([
      [500, 600],
      [100, 200],
      [200, 300],
      [300, 500],
      [600, 700],
      [700, 1000],
    ]);
  });

  it("merges adjacent missing blocks of a slice into one request", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, { ...small, maxBytes: 1000 });
    expect(await source.slice(250, 650)).toEqual(bytes.subarray(250, 650));
    expect(await source.slice(0, 1000)).toEqual(bytes);
    expect(inner.reads).toEqual([
      { start: 200, end: 700 },
      { start: 0, end: 200 },
      { start: 700, end: 1000 },
    ]);
  });

  it("uses blocks of 64 KiB by default", async () => {
    const inner = countingSource(patternBytes(200000));
    await cachedSource(inner).slice(65535, 65537);
    expect(inner.reads).toEqual([{ start: 0, end: 131072 }]);
  });

  it("peeks where every block is resident", async () => {
    const source = cachedSource(countingSource(bytes), small);
    expect(source.peek!(0, 10)).toBeUndefined();
    await source.slice(0, 200);
    expect(source.peek!(50, 150)).toEqual(bytes.subarray(50, 150));
    expect(source.peek!(150, 201)).toBeUndefined();
    expect(source.peek!(5, 5)).toHaveLength(0);
    await source.slice(950, 960);
    expect(source.peek!(950, 5000)).toEqual(bytes.subarray(950));
    expect(source.peek!(1000, 2 ** 53 - 1)).toHaveLength(0);
  });

  it("learns the end of a source that does not tell its length", async () => {
    const inner = countingSource(bytes.subarray(0, 950));
    const source = cachedSource({ slice: (start, end) => inner.slice(start, end) }, { ...small, maxBytes: 2000 });
    expect(source.byteLength).toBeUndefined();
    expect(await source.slice(900, 2000)).toEqual(bytes.subarray(900, 950));
    expect(source.peek!(900, 2000)).toEqual(bytes.subarray(900, 950));
    expect(await source.slice(960, 2 ** 53 - 1)).toHaveLength(0);
    expect(inner.reads).toEqual([{ start: 900, end: 2000 }]);
    const past = cachedSource({ slice: (start, end) => inner.slice(start, end) }, small);
    expect(await past.slice(5000, 5010)).toHaveLength(0);
    expect(await past.slice(6000, 6010)).toHaveLength(0);
    expect(await past.slice(940, 960)).toEqual(bytes.subarray(940, 950));
    expect(inner.requests).toBe(3);
  });

  it("drops the block used longest ago", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, { blockSize: 100, maxBytes: 200 });
    for (const block of [0, 1, 0, 2]) await source.slice(block * 100, block * 100 + 1);
    expect(source.peek!(0, 100)).toBeDefined();
    expect(source.peek!(100, 200)).toBeUndefined();
    expect(source.peek!(200, 300)).toBeDefined();
  });

  it("keeps a block alone, not the answer it came in", async () => {
    const source = cachedSource(countingSource(bytes), small);
    await source.slice(0, 300);
    expect(source.peek!(0, 10)!.buffer.byteLength).toBe(100);
  });

  it("passes by what is bigger than it may keep", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, small);
    await source.slice(0, 10);
    expect(await source.slice(5, 701)).toEqual(bytes.subarray(5, 701));
    expect(inner.reads[1]).toEqual({ start: 5, end: 701 });
    expect(source.peek!(0, 10)).toBeDefined();
    expect(source.peek!(100, 110)).toBeUndefined();
    const none = cachedSource(inner, { maxBytes: 0 });
    expect(await none.slice(5, 10)).toEqual(bytes.subarray(5, 10));
  });

  it("passes by what a near source reads at once faster than it is cut into blocks", async () => {
    const inner = countingSource({ length: 2 ** 24, slice: (start, end) => new Uint8Array(end! - start!) });
    const near = Object.assign(inner, { readInto: async () => 0 });
    const source = cachedSource(near);
    expect(await source.slice(5, 2 ** 22 + 65536)).toHaveLength(2 ** 22 + 65531);
    expect(await source.slice(65536, 65536 + 2 ** 22)).toHaveLength(2 ** 22);
    expect(source.peek!(65536, 65536 + 2 ** 22)).toBeDefined();
    expect(source.peek!(0, 10)).toBeUndefined();
    expect(inner.requests).toBe(2);
  });

  it("assembles a slice even where its own blocks drive others out", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, { blockSize: 100, maxBytes: 300 });
    await source.slice(0, 100);
    await source.slice(200, 300);
    expect(await source.slice(0, 300)).toEqual(bytes.subarray(0, 300));
    expect(inner.requests).toBe(3);
  });

  it("lets a source that has bytes at hand answer itself", async () => {
    const source = cachedSource(bytesSource(bytes), small);
    expect(source.peek!(0, 1000)!.buffer).toBe(bytes.buffer);
    expect((source.slice(10, 20) as Uint8Array).buffer).toBe(bytes.buffer);
  });

  it.each([
    { blockSize: 0 },
    { blockSize: 1.5 },
    { blockSize: Number.NaN },
    { maxBytes: -1 },
    { maxBytes: Number.NaN },
  ])("refuses %j", (options) => {
    expect(() => cachedSource(bytesSource(bytes), options)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });

  it("answers as the source does, whatever was asked before", async () => {
    const range = fc.tuple(fc.nat(1200), fc.nat(300)).map(([start, length]) => ({ start, end: start + length }));
    const options = fc.record({ blockSize: fc.integer({ min: 1, max: 200 }), maxBytes: fc.nat(800) });
    await fc.assert(
      fc.asyncProperty(fc.array(range), options, fc.boolean(), async (ranges, options, known) => {
        const slice: ByteSource["slice"] = async (start, end) => bytes.slice(start, end);
        const source = cachedSource(known ? { byteLength: 1000, slice } : { slice }, options);
        const answers = await Promise.all(ranges.map(({ start, end }) => source.slice(start, end)));
        expect(answers).toEqual(ranges.map(({ start, end }) => bytes.subarray(start, end)));
        for (const { start, end } of ranges) {
          const peeked = source.peek!(start, end);
          if (peeked) expect(peeked).toEqual(bytes.subarray(start, end));
          expect(await source.slice(start, end)).toEqual(bytes.subarray(start, end));
        }
      }),
    );
  });
});

describe("cachedSource in flight", () => {
  it("shares blocks under way", async () => {
    const { source: inner, asked } = heldSource();
    const source = cachedSource(inner, small);
    const slices = [source.slice(0, 150), source.slice(110, 120), source.slice(150, 250)];
    expect(asked.map(({ start, end }) => [start, end])).toEqual([
      [0, 200],
      [200, 300],
    ]);
    for (const { answer } of asked) answer();
    expect(await Promise.all(slices)).toEqual([
      bytes.subarray(0, 150),
      bytes.subarray(110, 120),
      bytes.subarray(150, 250),
    ]);
  });

  it("does not keep failures", async () => {
    const { source: inner, asked } = heldSource();
    const source = cachedSource(inner, small);
    const slices = Promise.allSettled([source.slice(0, 10), source.slice(10, 20)]);
    const error = new Error("gone");
    asked[0]!.fail(error);
    expect(await slices).toEqual([
      { status: "rejected", reason: error },
      { status: "rejected", reason: error },
    ]);
    const again = source.slice(0, 10);
    expect(asked).toHaveLength(2);
    asked[1]!.answer();
    expect(await again).toEqual(bytes.subarray(0, 10));
  });

  it("lets one waiter abort without the others, and the request go on", async () => {
    const { source: inner, asked } = heldSource();
    const source = cachedSource(inner, small);
    const controller = new AbortController();
    const first = source.slice(0, 10, { signal: controller.signal });
    const second = source.slice(10, 20);
    controller.abort("reason");
    await expect(first).rejects.toBe("reason");
    expect(asked[0]!.signal?.aborted).toBe(false);
    asked[0]!.answer();
    expect(await second).toEqual(bytes.subarray(10, 20));
    expect(asked).toHaveLength(1);
  });

  it("gives a request up with its last waiter, and asks anew for the next", async () => {
    const { source: inner, asked } = heldSource();
    const source = cachedSource(inner, small);
    const controller = new AbortController();
    const slices = [0, 10].map((start) => source.slice(start, start + 10, { signal: controller.signal }));
    const outcomes = Promise.allSettled(slices);
    controller.abort("reason");
    expect((await outcomes).map((outcome) => (outcome as PromiseRejectedResult).reason)).toEqual(["reason", "reason"]);
    expect(asked[0]!.signal?.aborted).toBe(true);
    const next = source.slice(0, 10);
    expect(asked).toHaveLength(2);
    asked[0]!.fail(new Error("aborted"));
    const joined = source.slice(20, 30);
    asked[1]!.answer();
    expect(await next).toEqual(bytes.subarray(0, 10));
    expect(await joined).toEqual(bytes.subarray(20, 30));
    expect(asked).toHaveLength(2);
  });

  it("asks for nothing when aborted already", async () => {
    const { source: inner, asked } = heldSource();
    const slice = cachedSource(inner, small).slice(0, 10, { signal: AbortSignal.abort("reason") });
    await expect(slice).rejects.toBe("reason");
    expect(asked).toHaveLength(0);
  });

  it("serves plans: what one batch fetched, the next finds at hand", async () => {
    const inner = countingSource(bytes);
    const source = cachedSource(inner, small);
    const read = (...starts: number[]) =>
      run(
        (function* (): Plan<readonly Uint8Array[]> {
          return yield starts.map((start) => ({ start, end: start + 10 }));
        })(),
        source,
      );
    await read(10, 120);
    await read(150, 50, 295);
    expect(inner.reads).toEqual([
      { start: 0, end: 200 },
      { start: 200, end: 400 },
    ]);
  });
});

describe("cachedSource readInto", () => {
  const reading = () => {
    const calls: number[][] = [];
    const counting = countingSource(bytes);
    const source: ByteSource = {
      byteLength: 1000,
      slice: (start, end) => counting.slice(start, end),
      async readInto(start, target, options) {
        options?.signal?.throwIfAborted();
        calls.push([start, target.length]);
        const part = bytes.subarray(start, start + target.length);
        target.set(part);
        return part.length;
      },
    };
    return { source: cachedSource(source, small), calls };
  };

  it("is there only where the source has it", () => {
    expect(cachedSource(countingSource(bytes)).readInto).toBeUndefined();
  });

  it("goes to the source, past the cache, with its options", async () => {
    const { source, calls } = reading();
    const target = new Uint8Array(300);
    expect(await source.readInto!(800, target)).toBe(200);
    expect(target.subarray(0, 200)).toEqual(bytes.subarray(800));
    expect(source.peek!(800, 900)).toBeUndefined();
    expect(calls).toEqual([[800, 300]]);
    const signal = AbortSignal.abort("reason");
    await expect(source.readInto!(0, target, { signal })).rejects.toBe("reason");
  });

  it("copies what is resident", async () => {
    const { source, calls } = reading();
    await source.slice(900, 1000);
    const target = new Uint8Array(80).fill(7);
    expect(await source.readInto!(950, target)).toBe(50);
    expect(target.subarray(0, 50)).toEqual(bytes.subarray(950));
    expect(target[50]).toBe(7);
    expect(await source.readInto!(1000, target)).toBe(0);
    expect(calls).toEqual([]);
  });
});
