import { type Decoder, defaultFilters } from "@h5/filters";
import type { ByteSource } from "@h5/framing";
import { slice } from "@h5/selection";
import { countingSource } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type CacheOptions, type Dataset, open } from "../src/index.ts";
import { bytesOf } from "./fixture.ts";

/** One element of each of two chunks that lie beside each other, (2, 4, 3) large; the dataset is (5, 6, 7). */
const FIRST = [0, 0, slice(1, 2)] as const;
const BOTH = [0, 0, slice(1, 4)] as const;

/** /filtered, whose elements are the numbers from 0 on, and how many chunks have been decoded of it. */
async function filtered(
  cache?: CacheOptions,
  source: ByteSource | Uint8Array = bytesOf("storage"),
): Promise<{ dataset: Dataset<"int16">; decoded: () => number }> {
  let count = 0;
  const filters = defaultFilters.map((decoder): Decoder => {
    if (decoder.name !== "deflate") return decoder;
    const counted = <T>(work: T): T => {
      count++;
      return work;
    };
    return {
      ...decoder,
      decode: (...given) => counted(decoder.decode(...given)),
      decodeSync: (...given) => counted(decoder.decodeSync!(...given)),
    };
  });
  const dataset = await (await open(source, { filters, cache })).dataset("filtered");
  if (!dataset.is("int16")) throw new Error(dataset.dtype);
  return { dataset, decoded: () => count };
}

describe("chunks of which a part was wanted", () => {
  it("are kept for the next read of them, whose result is its own", async () => {
    const { dataset, decoded } = await filtered();
    for (const into of [undefined, undefined, new Int16Array(3)]) {
      const { data } = await dataset.get(BOTH, { into });
      expect([data, decoded()]).toEqual([Int16Array.of(1, 2, 3), 2]);
      data.fill(-1);
    }
    expect(await dataset.get([1, 1, 2])).toBe(51);
    expect(decoded()).toBe(2);
  });

  it("are those of tiles that cut them", async () => {
    const { dataset, decoded } = await filtered();
    const found: number[] = [];
    for await (const { data } of dataset.chunks({ tileShape: [1, 2, 2] })) found.push(...data);
    expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 210 }, (_, i) => i));
    expect(decoded()).toBe(18);
  });

  it.each([
    ["where there is to be no cache", false],
    ["where one has no room", { chunkBytes: 0 }],
    ["where a read has more than there is room for", { chunkBytes: 95 }],
  ] as const)("are not kept %s", async (_, cache) => {
    const { dataset, decoded } = await filtered(cache);
    for (let i = 1; i < 4; i++) {
      expect((await dataset.get(BOTH)).data).toEqual(Int16Array.of(1, 2, 3));
      expect(decoded()).toBe(2 * i);
    }
  });

  it("make room for later ones", async () => {
    const { dataset, decoded } = await filtered({ chunkBytes: 96 });
    const at = (column: number) => [0, 0, slice(column, column + 1)] as const;
    const wanted = [at(1), at(4), at(1), at(6), at(1), at(4)];
    const counts: number[] = [];
    for (const selection of wanted) {
      await dataset.get(selection);
      counts.push(decoded());
    }
    expect(counts).toEqual([1, 2, 2, 3, 3, 4]);
  });
});

it("whole reads keep nothing", async () => {
  const { dataset, decoded } = await filtered();
  await dataset.get();
  await dataset.get([null, slice(4, 6), slice(6, 7)]);
  const before = decoded();
  await dataset.get([0, 4, slice(6, 7)]);
  expect([before, decoded()]).toEqual([21, 22]);
});

describe("reads of one chunk at the same time", () => {
  it("decode it once", async () => {
    const source = countingSource(bytesOf("storage"));
    const { dataset, decoded } = await filtered({ blockSize: 64 }, source);
    await dataset.chunkInfo();
    source.reset();
    const reads = await Promise.all([dataset.get(FIRST), dataset.get(BOTH), dataset.get([0, 1, 1])]);
    expect(reads.slice(0, 2).map((read) => (read as { data: Int16Array }).data)).toEqual([
      Int16Array.of(1),
      Int16Array.of(1, 2, 3),
    ]);
    expect([reads[2], decoded()]).toEqual([8, 2]);
  });

  it("do not depend on one that is given up", async () => {
    const bytes = bytesOf("storage");
    let held: (() => void) | undefined;
    let hold = false;
    const source: ByteSource = {
      async slice(start, end) {
        if (hold) {
          hold = false;
          await new Promise<void>((resolve) => {
            held = resolve;
          });
        }
        return bytes.slice(start, end);
      },
    };
    const { dataset, decoded } = await filtered({ blockSize: 64 }, source);
    await dataset.chunkInfo();
    hold = true;
    const controller = new AbortController();
    const first = dataset.get(FIRST, { signal: controller.signal });
    while (held === undefined) await new Promise((resolve) => setTimeout(resolve));
    const second = dataset.get(FIRST);
    controller.abort("enough");
    await expect(first).rejects.toBe("enough");
    held();
    expect([(await second).data, decoded()]).toEqual([Int16Array.of(1), 1]);
  });
});
