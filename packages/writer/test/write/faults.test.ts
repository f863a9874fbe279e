import { describe, expect, it, vi } from "vitest";
import { type ByteSink, type ChunkFilter, type FileBuilder, fletcher32 } from "../../src/index.ts";
import { numbers, sampleFile, streamedFile } from "../sink/sample.ts";

const MAGIC = "\x89HDF\r\n\x1a\n";
const ROWS = 800;
const BLOCKS = 8;

/** A sink that records its steps; `onWrite` may throw, the count of writes so far at hand. */
function recordingSink(onWrite: (count: number) => void | Promise<void> = () => {}, sequential = false) {
  const starts: string[] = [];
  const sink = {
    sequential,
    write: vi.fn((_: number, bytes: Uint8Array): void | Promise<void> => {
      const taken = () => void starts.push(String.fromCharCode(...bytes.subarray(0, 8)));
      const settled = onWrite(starts.length);
      return settled === undefined ? taken() : settled.then(taken);
    }),
    close: vi.fn(),
    abort: vi.fn(),
  } satisfies ByteSink;
  return { sink, starts };
}

/** Blocks that tell how many were taken and whether they were left before the end. */
function trackedBlocks(onBlock: (taken: number) => void | Promise<void> = () => {}) {
  const told = { taken: 0, left: 0 };
  const blocks: AsyncIterable<Float64Array> = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (told.taken === BLOCKS) return { done: true, value: undefined };
        await onBlock(told.taken++);
        return { done: false, value: numbers((ROWS / BLOCKS) * 1000, told.taken) };
      },
      async return() {
        told.left++;
        return { done: true, value: undefined };
      },
    }),
  };
  return { told, blocks };
}

const layouts = {
  contiguous: {},
  chunked: { chunks: [64, 1000] },
  filtered: { chunks: [100, 500], filters: [fletcher32()] },
};

/** Ways to write a file, each with all its blocks. */
const writes: [string, boolean, (blocks: AsyncIterable<Float64Array>) => FileBuilder][] = [
  ["contiguous blocks", false, (blocks) => streamedFile({ blocks, rows: ROWS, options: layouts.contiguous })],
  ["blocks in chunks", false, (blocks) => streamedFile({ blocks, rows: ROWS, options: layouts.chunked })],
  ["blocks in filtered chunks", false, (blocks) => streamedFile({ blocks, rows: ROWS, options: layouts.filtered })],
  ["contiguous blocks in order", true, (blocks) => streamedFile({ blocks, rows: ROWS, options: layouts.contiguous })],
];

describe.each(writes)("a failed write of %s", (_, sequential, make) => {
  /** Writes, and checks all that holds of failed writes. */
  async function fails(
    error: unknown,
    tracked: ReturnType<typeof trackedBlocks>,
    { sink, starts }: ReturnType<typeof recordingSink>,
    options: Parameters<FileBuilder["writeTo"]>[1] = {},
  ): Promise<void> {
    const thrown = await make(tracked.blocks)
      .writeTo(sink, options)
      .then(
        () => "nothing",
        (reason: unknown) => reason,
      );
    expect(thrown).toBe(error);
    expect(sink.abort.mock.calls).toEqual([[error]]);
    expect(sink.close).not.toHaveBeenCalled();
    if (!sequential) expect(starts).not.toContain(MAGIC);
  }

  async function countOfWrites(): Promise<number> {
    const { sink, starts } = recordingSink(undefined, sequential);
    await make(trackedBlocks().blocks).writeTo(sink);
    expect(starts.filter((start) => start === MAGIC)).toHaveLength(1);
    expect(starts.indexOf(MAGIC)).toBe(sequential ? 0 : starts.length - 1);
    return starts.length;
  }

  it("tells the sink, the caller and the blocks of the error, whichever write fails", async () => {
    const count = await countOfWrites();
    expect(count).toBeGreaterThan(4);
    for (let bad = 0; bad < count; bad++) {
      const error = new Error(`write ${bad}`);
      const fail =
        bad % 2 === 0
          ? () => Promise.reject(error)
          : () => {
              throw error;
            };
      const tracked = trackedBlocks();
      await fails(
        error,
        tracked,
        recordingSink((n) => (n === bad ? fail() : undefined), sequential),
      );
      expect(tracked.told.left).toBe(tracked.told.taken > 0 && tracked.told.taken < BLOCKS ? 1 : 0);
    }
  });

  it("rejects with the signal's reason, whichever write it aborts in", async () => {
    // The superblock is in the last write, after which an abort finds the file whole but not closed (see below).
    const count = (await countOfWrites()) - (sequential ? 0 : 1);
    for (let bad = 0; bad < count; bad++) {
      const controller = new AbortController();
      const reason = { aborted: bad };
      const tracked = trackedBlocks();
      const recorded = recordingSink((n) => {
        if (n === bad) controller.abort(reason);
      }, sequential);
      await fails(reason, tracked, recorded, { signal: controller.signal });
      if (tracked.told.taken > 0 && tracked.told.taken < BLOCKS) expect(tracked.told.left).toBe(1);
    }
  });

  it("rejects with what the blocks throw, and does not call them again", async () => {
    for (let bad = 0; bad < BLOCKS; bad++) {
      const error = new Error(`block ${bad}`);
      const tracked = trackedBlocks((n) => (n === bad ? Promise.reject(error) : undefined));
      await fails(error, tracked, recordingSink(undefined, sequential));
      expect(tracked.told).toEqual({ taken: bad + 1, left: 0 });
    }
  });

  it("rejects when the signal aborts while a block is waited for that never comes", async () => {
    for (const bad of [0, 5, BLOCKS - 1]) {
      const controller = new AbortController();
      const tracked = trackedBlocks((n) => {
        if (n !== bad) return undefined;
        setTimeout(() => controller.abort("enough"));
        return new Promise(() => {});
      });
      await fails("enough", tracked, recordingSink(undefined, sequential), { signal: controller.signal });
      expect(tracked.told.left).toBe(1);
    }
  });

  it("rejects at once where the signal has aborted before", async () => {
    const tracked = trackedBlocks();
    const recorded = recordingSink(undefined, sequential);
    await fails("before", tracked, recorded, { signal: AbortSignal.abort("before") });
    expect(recorded.starts).toEqual([]);
    expect(tracked.told.taken).toBe(0);
  });

  it("rejects with what onProgress throws", async () => {
    const error = new Error("not my progress");
    const onProgress = (): never => {
      throw error;
    };
    await fails(error, trackedBlocks(), recordingSink(undefined, sequential), { onProgress });
  });
});

describe("a write that fails at its end", () => {
  it("aborts the sink that cannot close", async () => {
    const error = new Error("disk full");
    const { sink } = recordingSink();
    sink.close.mockRejectedValue(error);
    await expect(sampleFile().writeTo(sink)).rejects.toBe(error);
    expect(sink.abort.mock.calls).toEqual([[error]]);
  });

  it("tells of the first failure where the sink cannot abort either", async () => {
    const error = new Error("first");
    const { sink } = recordingSink(() => Promise.reject(error));
    sink.abort.mockRejectedValue(new Error("second"));
    await expect(sampleFile().writeTo(sink)).rejects.toBe(error);
  });

  it("does not close the sink where the signal aborts with the last write", async () => {
    const controller = new AbortController();
    const { sink } = recordingSink();
    sink.write.mockImplementation((_, bytes) => {
      if (String.fromCharCode(...bytes.subarray(0, 8)) === MAGIC) controller.abort("late");
    });
    await expect(sampleFile().writeTo(sink, { signal: controller.signal })).rejects.toBe("late");
    expect(sink.close).not.toHaveBeenCalled();
    expect(sink.abort).toHaveBeenCalledOnce();
  });
});

describe("filters that take their time", () => {
  const slow = (encode: () => Promise<Uint8Array>): ChunkFilter => ({
    encoder: { id: 300, name: "slow", encode },
    optional: false,
    params: () => [],
  });

  it("may fail: the write rejects with their error", async () => {
    let count = 0;
    const error = new Error("third chunk");
    const filter = slow(async () => {
      if (++count >= 3) throw error;
      return new Uint8Array(10);
    });
    const { blocks, told } = trackedBlocks();
    const { sink } = recordingSink();
    const file = streamedFile({ blocks, rows: ROWS, options: { chunks: [100, 1000], filters: [filter] } });
    await expect(file.writeTo(sink)).rejects.toBe(error);
    expect(sink.abort.mock.calls).toEqual([[error]]);
    expect(told.left).toBe(1);
  });

  it("may never end: an abort does not wait for them", async () => {
    const controller = new AbortController();
    const filter = slow(() => new Promise(() => setTimeout(() => controller.abort("enough"))));
    const { blocks, told } = trackedBlocks();
    const { sink } = recordingSink();
    const file = streamedFile({ blocks, rows: ROWS, options: { chunks: [100, 1000], filters: [filter] } });
    await expect(file.writeTo(sink, { signal: controller.signal })).rejects.toBe("enough");
    expect(sink.abort.mock.calls).toEqual([["enough"]]);
    expect(told.left).toBe(1);
  });
});
