import { describe, expect, it } from "vitest";
import {
  type ByteSink,
  type ChunkFilter,
  createFile,
  fletcher32,
  memorySink,
  type WriteProgress,
} from "../../src/index.ts";
import { numbers, sampleFile, streamedFile } from "../sink/sample.ts";

const MIB = 2 ** 20;

/** Blocks of 1,000 rows, and how many bytes of them were given out. */
function* countedBlocks(told: { given: number }, count: number): Generator<Float64Array> {
  for (let block = 0; block < count; block++) {
    const values = numbers(100_000, block);
    told.given += values.byteLength;
    yield values;
  }
}

describe("writing data that comes as blocks", () => {
  it.each([
    ["contiguous", {}, 0],
    ["in chunks of a block", { chunks: [100, 1000] }, 0],
    ["in smaller chunks", { chunks: [10, 100] }, 0],
    ["in chunks higher than a block", { chunks: [250, 1000] }, 250 * 8000],
    ["filtered", { chunks: [100, 1000], filters: [fletcher32()] }, 0],
  ])("%s keeps no more than a few MiB waiting", async (_, options, slabBytes) => {
    const told = { given: 0 };
    let written = 0;
    let most = 0;
    const sink: ByteSink = {
      write(_, bytes) {
        most = Math.max(most, told.given - written);
        written += bytes.length;
      },
    };
    await streamedFile({ blocks: countedBlocks(told, 20), rows: 2000, options }).writeTo(sink);
    expect(told.given).toBe(16_000_000);
    expect(written).toBeGreaterThan(16_000_000);
    expect(most).toBeLessThan(4 * MIB + 800_000 + slabBytes);
  });

  it("lets go of the buffers that short encodings lie in", async () => {
    const buffers = new Set<ArrayBufferLike>();
    const tail: ChunkFilter = {
      encoder: {
        id: 300,
        name: "tail",
        encode(bytes) {
          buffers.add(bytes.buffer);
          return bytes.subarray(bytes.length - 8);
        },
      },
      optional: false,
      params: () => [],
    };
    let kept = 0;
    const sink: ByteSink = {
      write(_, bytes) {
        if (buffers.has(bytes.buffer)) kept++;
      },
    };
    const told = { given: 0 };
    const options = { chunks: [100, 1000], filters: [tail] };
    await streamedFile({ blocks: countedBlocks(told, 3), rows: 300, options }).writeTo(sink);
    expect(buffers.size).toBe(3);
    expect(kept).toBe(0);
  });

  it("takes the same memory again for each block", async () => {
    const values = numbers(30_000);
    function* reused(): Generator<Float64Array> {
      const block = new Float64Array(3000);
      for (let at = 0; at < values.length; at += block.length) {
        block.set(values.subarray(at, at + block.length));
        yield block;
      }
      block.fill(0);
    }
    for (const options of [{}, { chunks: [5, 300] }, { chunks: [3, 1000] }]) {
      const streamed = await streamedFile({ blocks: reused(), rows: 30, options }).encode();
      const whole = createFile();
      whole.dataset("streamed", values, { shape: [30, 1000], ...options });
      expect(Buffer.from(streamed).equals(await whole.encode())).toBe(true);
    }
  });

  it("keeps the dataspace of a dataset that grows out of the shared messages", async () => {
    const make = (data: unknown, shape: number[]): Promise<Uint8Array> => {
      const file = createFile({ sharedMessages: { minSize: 1 } });
      file.dataset("x", data, { dtype: "int32", shape, maxShape: [Infinity], chunks: [10] });
      return file.encode();
    };
    const values = Int32Array.from({ length: 25 }, (_, i) => i);
    const whole = await make(values, [25]);
    const streamed = await make([values.subarray(0, 12), values.subarray(12)].values(), [0]);
    const dimensions = (bytes: Uint8Array): number => {
      // Dataspace message, version 2: rank 1 with a maximum, simple, then 25 elements and all ones.
      const message = [2, 1, 1, 1, 25, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255];
      return Buffer.from(bytes).indexOf(Buffer.from(message));
    };
    expect(dimensions(whole)).toBeGreaterThan(0);
    expect(dimensions(streamed)).toBeGreaterThan(0);
  });
});

describe("chunks of streams", () => {
  const write = (chunks: Iterable<never> | Iterable<object>) => {
    const file = createFile();
    file.dataset("x", chunks, { dtype: "int32", shape: [10], chunks: [5] });
    return file.encode();
  };
  const data = new Int32Array(5).fill(1);

  it("come in any order", async () => {
    const whole = createFile();
    whole.dataset(
      "x",
      Int32Array.from({ length: 10 }, () => 1),
      { chunks: [5] },
    );
    const reversed = await write(
      [
        { chunk: [1], data },
        { chunk: [0], data },
      ].values(),
    );
    expect(reversed.length).toBe((await whole.encode()).length);
  });

  it.each([
    [
      "twice",
      [
        { chunk: [0], data },
        { chunk: [1], data },
        { chunk: [0], data },
      ],
      "chunk [0]: it was written twice",
    ],
    ["outside", [{ chunk: [2], data }], "chunk [2]: it lies outside the shape [10]"],
    ["of another rank", [{ chunk: [0, 0], data }], "chunk [0,0]: it lies outside the shape [10]"],
    ["between", [{ chunk: [0.5], data }], "chunk [0.5]: it lies outside the shape [10]"],
    [
      "with a mask of more filters than there are",
      [{ chunk: [0], bytes: new Uint8Array(20), filterMask: 1 }],
      "filter mask 1 for 0 filters",
    ],
    ["of another size", [{ chunk: [0], bytes: new Uint8Array(19) }], "expected 20 bytes without a mask, got 19 bytes"],
    ["of fewer values", [{ chunk: [0], data: new Int32Array(4) }], "expected 20 bytes of elements, got 16"],
    ["without a coordinate", [{ chunk: 1, data }], "chunk 1, expected a list"],
    ["of null", [null as unknown as object], "expected a block of values, got null"],
  ])("are refused %s", async (_, chunks, message) => {
    await expect(write(chunks.values())).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      path: "/x",
      message: expect.stringContaining(message),
    });
  });
});

describe("filters that take their time", () => {
  const xor = (encode: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>): ChunkFilter => ({
    encoder: { id: 300, name: "xor", encode },
    optional: false,
    params: () => [],
  });
  const flipped = (bytes: Uint8Array): Uint8Array => bytes.subarray(0, 8 + (bytes[8]! % 100)).map((byte) => byte ^ 255);
  const make = (filter: ChunkFilter, streams: boolean): ReturnType<typeof createFile> => {
    const values = numbers(20_000);
    const file = createFile();
    const data = streams ? [values.subarray(0, 7777), values.subarray(7777)].values() : values;
    file.dataset("x", data, { dtype: "float64", shape: [20_000], chunks: [500], filters: [filter] });
    file.dataset("y", numbers(1000), { chunks: [100], filters: [filter] });
    return file;
  };

  it("work on four chunks at once, and the file is the same whichever is done first", async () => {
    const expected = await make(xor(flipped), false).encode();
    let open = 0;
    let most = 0;
    let turn = 0;
    const filter = xor(async (bytes) => {
      most = Math.max(most, ++open);
      const steps = [5, 1, 9, 0, 3][turn++ % 5]!;
      for (let i = 0; i < steps; i++) await new Promise((resolve) => setImmediate(resolve));
      open--;
      return flipped(bytes);
    });
    for (const streams of [false, true]) {
      expect(Buffer.from(await make(filter, streams).encode()).equals(expected)).toBe(true);
    }
    expect(most).toBe(4);
  });
});

describe("a write that failed before it had all blocks", () => {
  const options = { dtype: "int8", maxShape: [Infinity], chunks: [4] } as const;
  const once = function* () {
    yield Int8Array.of(1, 2);
  };
  const failed = async (blocks: Iterable<Int8Array>) => {
    const file = createFile();
    file.dataset("x", blocks, options);
    await expect(file.encode({ signal: AbortSignal.abort() })).rejects.toThrow();
    return file;
  };

  it("is not followed by one of the empty dataset that a generator leaves", async () => {
    const file = await failed(once());
    for (const _ of [1, 2]) await expect(file.encode()).rejects.toThrow("/x: the blocks went to a write that failed");
  });

  it("is followed by a whole one where the blocks can be asked for again", async () => {
    const blocks = { [Symbol.iterator]: () => [Int8Array.of(1, 2)].values() };
    const same = createFile();
    same.dataset("x", blocks, options);
    expect(await (await failed(blocks)).encode()).toEqual(await same.encode());
  });
});

describe("rows without elements", () => {
  it.each([
    ["of a fixed shape", { shape: [3, 0], chunks: [2, 1] }, [3, 0]],
    ["of a dataset that grows", { maxShape: [Infinity, 0], chunks: [2, 1] }, [0, 0]],
  ])("come in blocks without elements: %s", async (_, options, shape) => {
    const file = createFile();
    const dataset = file.dataset("x", [[], new Int32Array(0)].values(), { dtype: "int32", ...options });
    await expect(file.encode()).resolves.toHaveProperty("length");
    expect(dataset.shape).toEqual(shape);
  });
});

describe("a file that is being written", () => {
  it("refuses changes until it is written, or could not be", async () => {
    const file = createFile();
    const log = file.dataset("log", ["a"], { maxShape: [Infinity] });
    const changes: readonly (() => unknown)[] = [
      () => log.append(["b"]),
      () => log.resize([9]),
      () => log.attribute("unit", "m"),
      () => file.group("later"),
      () => file.hardLink("again", "log"),
    ];
    const refused: unknown[] = [];
    const blocks = function* () {
      for (const change of changes) {
        try {
          change();
        } catch (error) {
          refused.push(error);
        }
      }
      yield [1];
    };
    file.dataset("x", blocks(), { dtype: "int32", shape: [1] });
    await file.encode();
    const message = expect.stringMatching(/^\/(log|later|again): the file cannot be changed while it is being written/);
    expect(refused).toEqual(changes.map(() => expect.objectContaining({ code: "INVALID_ARGUMENT", message })));

    await expect(file.encode()).rejects.toMatchObject({ path: "/x" });
    for (const change of changes) expect(change).not.toThrow();
  });

  it("refuses changes from the call on", async () => {
    const file = createFile();
    const written = file.encode();
    expect(() => file.group("later")).toThrow("the file cannot be changed while it is being written");
    await written;
    expect(() => file.group("later")).not.toThrow();
  });

  it("may be written several times at once", async () => {
    const file = sampleFile({});
    const [one, other] = await Promise.all([file.encode(), file.encode()]);
    expect(Buffer.from(one).equals(other)).toBe(true);
    expect(() => file.group("later")).not.toThrow();
  });
});

describe("writing again", () => {
  it.each([
    ["by default", {}],
    ["earliest", { compatibility: "earliest" }],
    ["shared", { sharedMessages: true, trackOrder: true, userblock: 512 }],
  ] as const)("gives the same bytes: %s", async (_, options) => {
    const file = sampleFile(options);
    const first = await file.encode();
    expect(Buffer.from(await file.encode()).equals(first)).toBe(true);
    expect(Buffer.from(await sampleFile(options).encode()).equals(first)).toBe(true);
  });

  it("takes what was added meanwhile", async () => {
    const file = createFile();
    file.dataset("x", [1, 2, 3]);
    const first = await file.encode();
    file.dataset("y", [4, 5, 6]);
    expect((await file.encode()).length).toBeGreaterThan(first.length);
  });

  it("asks blocks for their data again where they can give it again", async () => {
    const blocks = new Set([Int32Array.of(1, 2, 3), Int32Array.of(4, 5)]);
    const again = { [Symbol.iterator]: () => blocks.values() };
    const file = createFile();
    file.dataset("x", again, { dtype: "int32", maxShape: [Infinity], chunks: [2] });
    const first = await file.encode();
    expect(Buffer.from(await file.encode()).equals(first)).toBe(true);
  });
});

describe("onProgress", () => {
  it("tells how many bytes were written, and of how many once that is known", async () => {
    const told: WriteProgress[] = [];
    const sink = memorySink();
    const file = createFile({ userblock: 512 });
    file.dataset("x", numbers(2_000_000));
    await file.writeTo(sink, { onProgress: (done) => told.push(done) });
    const total = sink.byteLength;
    expect(told.length).toBeGreaterThan(4);
    expect(told.map(({ bytesWritten }) => bytesWritten)).toEqual(
      told.map(({ bytesWritten }) => bytesWritten).sort((a, b) => a - b),
    );
    expect(told[0]!.totalBytes).toBeUndefined();
    expect(told.at(-1)).toEqual({ bytesWritten: total, totalBytes: total });
  });

  it("tells sequential sinks' size from the start", async () => {
    const told: WriteProgress[] = [];
    let end = 0;
    const sink: ByteSink = {
      sequential: true,
      write(position, bytes) {
        expect(position).toBe(end);
        end += bytes.length;
      },
    };
    const file = createFile({ userblock: 512 });
    file.dataset("x", numbers(2_000_000));
    await file.writeTo(sink, { onProgress: (done) => told.push(done) });
    expect(told.every(({ totalBytes }) => totalBytes === end)).toBe(true);
    expect(told.at(-1)!.bytesWritten).toBe(end);
  });
});
