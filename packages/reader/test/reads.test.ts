import type { ByteSource } from "@h5/framing";
import { slice } from "@h5/selection";
import { countingSource } from "@h5/testing";
import { describe, expect, it, vi } from "vitest";
import { open as openCore } from "../src/core.ts";
import { type Dataset, open, type Progress } from "../src/index.ts";
import { bytesOf, farApart, farApartValue } from "./fixture.ts";

const far = farApart();
const CHUNK = 256 * 512;
/** Where the data lies: found by its first bytes, since no structure holds 251 values that count up. */
const RAMP = Buffer.from(Uint8Array.from({ length: 251 }, (_, i) => i));
const CHUNKS = Buffer.from(far).indexOf(RAMP);
const CONTIGUOUS = Buffer.from(far).indexOf(RAMP, CHUNKS + 8 * CHUNK);

/** Whether values are all those of /chunked and /contiguous; a matcher takes seconds to compare a million. */
function isRamp(values: unknown): boolean {
  const data = values as Uint8Array;
  return data.length === 1 << 20 && data.every((value, i) => value === i % 251);
}

/** A dataset behind a counting source that has answered all but its data. */
async function counted(
  name: string,
  cache?: false,
): Promise<{ source: ReturnType<typeof countingSource>; dataset: Dataset }> {
  const source = countingSource(far);
  const file = await open(source, { cache });
  const dataset = await file.dataset(name);
  source.reset();
  return { source, dataset };
}

describe("metadata", () => {
  it("of a file, its listing and its small data come with one request", async () => {
    const source = countingSource(bytesOf("weather"));
    const file = await open(source);
    await file.children();
    await (await file.dataset("temperature")).get();
    await file.attrs.toObject();
    expect(source.reads).toEqual([{ start: 0, end: 13736 }]);
  });

  it("is read once and kept", async () => {
    const source = countingSource(far);
    const file = await open(source);
    expect(source.reads).toEqual([{ start: 0, end: 65536 }]);
    await file.keys();
    await file.keys();
    expect(source.requests).toBe(1);
  });

  it("touches no payload", async () => {
    const source = countingSource(far);
    const file = await open(source, { cache: false });
    for (const { object } of await file.children()) {
      if (object?.kind !== "dataset") throw new Error("not a dataset");
      expect([object.shape, object.dtype, object.layout.class, object.filters].length).toBe(4);
      await object.attrs.toObject();
    }
    // A header's first read is a guess of 512 bytes, which may reach past its end; none begins in the data.
    const inside = ({ start }: { start: number }): boolean =>
      (start >= CHUNKS && start < CHUNKS + 8 * CHUNK) || start >= CONTIGUOUS;
    expect(source.reads.filter(inside)).toEqual([]);
    expect(source.bytesRead).toBeLessThan(4096);
  });
});

describe("a chunked dataset", () => {
  it("has only the chunks read that the selection meets, and of raw ones only the rows", async () => {
    const { source, dataset } = await counted("chunked", false);
    const { data, shape } = await dataset.get([slice(10), slice(600, 610)]);
    expect(shape).toEqual([10, 10]);
    expect(data).toEqual(Uint8Array.from({ length: 100 }, (_, i) => farApartValue(Math.floor(i / 10), 600 + (i % 10))));
    const first = CHUNKS + CHUNK + 600 - 512;
    expect(source.reads.filter(({ end }) => end > CHUNKS)).toEqual([{ start: first, end: first + 9 * 512 + 10 }]);
  });

  it("is read in one request where its chunks are neighbours, and lands in place", async () => {
    const { source, dataset } = await counted("chunked");
    const { data } = await dataset.get();
    expect(source.reads).toEqual([{ start: CHUNKS, end: CHUNKS + 8 * CHUNK }]);
    expect(isRamp(data)).toBe(true);
  });

  it("is read in a request for each run of chunks that are far apart", async () => {
    const { source, dataset } = await counted("chunked", false);
    await dataset.get([null, slice(512, 1024)]);
    const wanted = [1, 3, 5, 7].map((chunk) => ({ start: CHUNKS + chunk * CHUNK, end: CHUNKS + (chunk + 1) * CHUNK }));
    expect(source.reads.filter(({ end }) => end > CHUNKS)).toEqual(wanted);
  });
});

describe("a contiguous dataset", () => {
  it("is read in one request", async () => {
    const { source, dataset } = await counted("contiguous");
    expect(isRamp((await dataset.get()).data)).toBe(true);
    expect(source.reads).toEqual([{ start: CONTIGUOUS, end: CONTIGUOUS + (1 << 20) }]);
  });

  it("has the rows of a column read in one request, from the first to the last", async () => {
    const { source, dataset } = await counted("contiguous", false);
    const { data } = await dataset.get([slice(100, 164), 7]);
    expect(data).toEqual(Uint8Array.from({ length: 64 }, (_, i) => farApartValue(100 + i, 7)));
    const start = CONTIGUOUS + 100 * 1024 + 7;
    expect(source.reads).toEqual([{ start, end: start + 63 * 1024 + 1 }]);
  });

  it("has one element read by its byte", async () => {
    const { source, dataset } = await counted("contiguous", false);
    expect(await dataset.get([5, 7])).toBe(farApartValue(5, 7));
    expect(source.reads).toEqual([{ start: CONTIGUOUS + 5 * 1024 + 7, end: CONTIGUOUS + 5 * 1024 + 8 }]);
  });

  it("has rows apart by more than a request costs read apart", async () => {
    const { source, dataset } = await counted("contiguous", false);
    await dataset.get([slice(0, 1024, 512), null]);
    const rows = [0, 512].map((row) => ({ start: CONTIGUOUS + row * 1024, end: CONTIGUOUS + (row + 1) * 1024 }));
    expect(source.reads).toEqual(rows);
  });

  it("is read straight into the result by a source that can", async () => {
    const targets: Uint8Array[] = [];
    const source: ByteSource = {
      byteLength: far.length,
      slice: async (start, end) => far.slice(start, end),
      readInto: async (start, target) => {
        targets.push(target);
        target.set(far.subarray(start, start + target.length));
        return target.length;
      },
    };
    const { data } = await (await (await open(source)).dataset("contiguous")).get();
    expect(targets.map(({ length }) => length)).toEqual([1 << 20]);
    expect(targets[0]!.buffer).toBe((data as Uint8Array).buffer);
  });

  it("that ends early by readInto is UnexpectedEof", async () => {
    const source: ByteSource = { slice: async (start, end) => far.slice(start, end), readInto: async () => 5 };
    const dataset = await (await open(source)).dataset("contiguous");
    await expect(dataset.get()).rejects.toMatchObject({ code: "UNEXPECTED_EOF", structure: "contiguous data" });
  });
});

describe("filters", () => {
  const masked = bytesOf("masked-chunks");

  it("are skipped by the mask of a chunk", async () => {
    const { data } = await (await (await open(masked)).dataset("data")).get();
    expect(data).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 7, 7, 7, 7));
  });

  it("that are missing are told before any chunk is fetched", async () => {
    const source = countingSource(masked);
    const dataset = await (await openCore(source, { filters: [], cache: false })).dataset("data");
    source.reset();
    await expect(dataset.get()).rejects.toMatchObject({
      code: "MISSING_FILTER",
      filterId: 1,
      filterName: "deflate",
      path: "/data",
    });
    const index = source.reads.length;
    // What was read is the index: the same as for a selection that no stored chunk meets.
    source.reset();
    expect((await dataset.get([slice(8, 12)])).data).toEqual(Uint8Array.of(7, 7, 7, 7));
    expect(source.reads.length).toBe(index);
  });

  it("are not missed where the wanted chunks mask them out", async () => {
    const dataset = await (await openCore(masked, { filters: [] })).dataset("data");
    expect((await dataset.get([slice(4, 12)])).data).toEqual(Uint8Array.of(5, 6, 7, 8, 7, 7, 7, 7));
    await expect(dataset.get([3])).rejects.toMatchObject({ code: "MISSING_FILTER" });
  });

  it("of one's own may answer later", async () => {
    const decode = vi.fn(async () => Uint8Array.of(9, 9, 9, 9));
    const file = await open(masked, { filters: [{ id: 1, name: "mine", decode }] });
    expect((await (await file.dataset("data")).get([slice(5)])).data).toEqual(Uint8Array.of(9, 9, 9, 9, 5));
    expect(decode).toHaveBeenCalledTimes(1);
  });

  it("that fail are errors with the path and the chunk's address", async () => {
    const decode = (): never => {
      throw new Error("no good");
    };
    const file = await open(masked, { filters: [{ id: 1, name: "mine", decode }] });
    await expect((await file.dataset("data")).get()).rejects.toMatchObject({
      code: "INVALID_FIELD",
      path: "/data",
      address: expect.any(Number),
    });
  });

  it("that give too few bytes are errors", async () => {
    const file = await open(masked, { filters: [{ id: 1, name: "mine", decode: () => Uint8Array.of(1, 2) }] });
    await expect((await file.dataset("data")).get()).rejects.toMatchObject({ path: "/data" });
  });
});

describe("a chunk with a checksum", () => {
  it("that is damaged is an error, and the others are read", async () => {
    const bytes = bytesOf("four-byte-widths");
    bytes[Buffer.from(bytes).indexOf(Buffer.from(Float32Array.of(0, 1, 2, 4).buffer))]! ^= 1;
    const dataset = await (await open(bytes)).dataset("grid");
    await expect(dataset.get()).rejects.toMatchObject({ code: "INVALID_FIELD", path: "/grid" });
    expect((await dataset.get([2, null])).data).toEqual(Float32Array.of(8, 9, 10, 11));
  });
});

describe("signal", () => {
  it("rejects a read at once with its reason, even if the source never answers", async () => {
    let silent = false;
    const source: ByteSource = {
      slice: (start, end) => (silent ? new Promise(() => {}) : far.slice(start, end)),
    };
    const dataset = await (await open(source, { cache: false })).dataset("contiguous");
    silent = true;
    const reason = new Error("not any more");
    const controller = new AbortController();
    const reading = dataset.get(null, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 5);
    await expect(reading).rejects.toBe(reason);
  });

  it("ends all writing to the array that was given to read into", async () => {
    const late: (() => void)[] = [];
    const source: ByteSource = {
      slice: async (start, end) => far.slice(start, end),
      readInto: async (start, target) => {
        await new Promise<void>((resolve) => late.push(resolve));
        target.set(far.subarray(start, start + target.length));
        return target.length;
      },
    };
    const dataset = (await (await open(source)).dataset("contiguous")) as Dataset<"uint8">;
    const controller = new AbortController();
    const into = new Uint8Array(1 << 20);
    const reading = dataset.get(null, { into, signal: controller.signal });
    await vi.waitFor(() => expect(late).toHaveLength(1));
    controller.abort("enough");
    await expect(reading).rejects.toBe("enough");
    into.fill(255);
    for (const answer of late) answer();
    await new Promise(setImmediate);
    expect(into.every((value) => value === 255)).toBe(true);
  });

  it("that has aborted before lets nothing be read", async () => {
    const { source, dataset } = await counted("chunked", false);
    await expect(dataset.get(null, { signal: AbortSignal.abort("no") })).rejects.toBe("no");
    expect(source.requests).toBe(0);
  });

  it("reaches the source", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const source: ByteSource = {
      slice: async (start, end, options) => {
        signals.push(options?.signal);
        return far.slice(start, end);
      },
    };
    const dataset = await (await open(source, { cache: false })).dataset("contiguous");
    signals.length = 0;
    await dataset.get([0, 0], { signal: new AbortController().signal });
    expect(signals.map((signal) => signal instanceof AbortSignal)).toEqual([true]);
  });
});

describe("a source that fails", () => {
  it("in the middle of a read ends it with a SourceError", async () => {
    let broken = false;
    const source: ByteSource = {
      slice: async (start, end) => {
        if (broken) throw new Error("gone");
        return far.slice(start, end);
      },
    };
    const dataset = await (await open(source, { cache: false })).dataset("contiguous");
    broken = true;
    await expect(dataset.get()).rejects.toMatchObject({ code: "SOURCE", path: "/contiguous" });
  });
});

describe("onProgress", () => {
  it.each(["chunked", "contiguous"])("of a %s dataset adds up to the whole result", async (name) => {
    const { dataset } = await counted(name);
    const seen: Progress[] = [];
    await dataset.get(null, { onProgress: (progress) => seen.push(progress) });
    expect(seen.every(({ total }) => total === 1 << 20)).toBe(true);
    expect(seen.map(({ loaded }) => loaded)).toEqual(seen.map(({ loaded }) => loaded).sort((a, b) => a - b));
    expect(seen.at(-1)!.loaded).toBe(1 << 20);
  });

  it("is not called any more once the read is given up", async () => {
    const { dataset } = await counted("chunked");
    const controller = new AbortController();
    let calls = 0;
    const onProgress = (): void => {
      calls++;
      controller.abort(new Error("enough"));
    };
    await expect(dataset.get(null, { signal: controller.signal, onProgress })).rejects.toThrow("enough");
    expect(calls).toBe(1);
  });

  it("counts what is filled", async () => {
    const dataset = await (await open(bytesOf("masked-chunks"))).dataset("data");
    const seen: Progress[] = [];
    await dataset.get([slice(2, 11)], { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ loaded: 9, total: 9 });
  });
});
