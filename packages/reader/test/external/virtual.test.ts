import { gunzipSync, inflateSync } from "node:zlib";
import { fixtureBytes } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type Dataset, open } from "../../src/index.ts";
import { expectedOf, fixtures, folderOf, openAmong, readingOf } from "./folder.ts";

describe("a virtual dataset", () => {
  const all = expectedOf("fixed.h5");
  it.each(Object.keys(all))("%s is read as libhdf5 reads it", async (path) => {
    const file = await openAmong("fixed.h5");
    expect(await readingOf(await file.dataset(path))).toEqual(all[path]);
  });

  it.each(Object.entries(expectedOf("narrow.h5")))(
    "%s, of one of a narrower type, is read past that type as libhdf5 reads it",
    async (path, expected) => {
      const file = await openAmong("narrow.h5");
      expect(await readingOf(await file.dataset(path))).toEqual(expected);
    },
  );

  it("turns numbers that no integer is into those that libhdf5 does", async () => {
    const file = await openAmong("not-numbers.h5");
    const expected = Object.entries(expectedOf("not-numbers.h5"));
    expect(expected.length).toBe(64);
    for (const [path, values] of expected) expect(await readingOf(await file.dataset(path)), path).toEqual(values);
  });

  it.each(Object.entries(expectedOf("beyond.h5")))(
    "%s, of numbers that type does not hold, is read as libhdf5 reads it",
    async (path, expected) => {
      const file = await openAmong("beyond.h5");
      expect(await readingOf(await file.dataset(path))).toEqual(expected);
    },
  );

  it.each(Object.entries(expectedOf("sequences.h5")))(
    "%s, of sequences of other types and another file's width, is read as libhdf5 reads it",
    async (path, expected) => {
      const file = await openAmong("sequences.h5");
      expect(await readingOf(await file.dataset(path))).toEqual(expected);
    },
  );

  it.each(Object.entries(expectedOf("nested.h5")))(
    "%s of virtual ones is read as libhdf5 reads it",
    async (path, expected) => {
      const file = await openAmong("nested.h5");
      expect(await readingOf(await file.dataset(path))).toEqual(expected);
    },
  );
});

describe("a virtual dataset of sources shorter than what is mapped of them", () => {
  const all = expectedOf("shorter.h5");
  it.each(Object.entries(all))("%s is filled up as libhdf5 does", async (path, expected) => {
    const dataset = await (await openAmong("shorter.h5")).dataset(path);
    expect(await readingOf(dataset)).toEqual(expected);
    // Point by point, which is another way through the mappings.
    const points = dataset.shape.flatMap((rows, axis) =>
      axis > 0 ? [] : Array.from({ length: rows }, (_, i) => [i, 1]),
    );
    const { data } = await dataset.get({ type: "points", points });
    expect(Array.from(data as Int32Array)).toEqual((expected.data as number[]).filter((_, i) => i % 2 === 1));
  });

  it.each(["earliest packed", "latest packed", "latest fixed"])(
    "of %s ones is not read, as libhdf5 reads what lies behind them",
    async (kind) => {
      const file = await openAmong("shorter.virtual");
      for (const form of ["all", "slab", "once"]) {
        const dataset = await file.dataset(`${kind} ${form}`);
        await expect(dataset.get(), form).rejects.toMatchObject({ code: "INVALID_FIELD" });
      }
    },
  );
});

/** Where libhdf5 1.10 reads what no source has. */
const MISREAD = [
  // It clips the virtual selection by the size of another dimension.
  "/turned?view=first-missing",
  // It reads the source beyond its end.
  "/least?view=first-missing",
];

describe("a virtual dataset without limits", () => {
  const all = Object.entries(expectedOf("unlimited.h5")).filter(([key]) => !MISREAD.includes(key));
  it.each(all)("%s is as large as libhdf5 says, and read as it reads it", async (key, expected) => {
    const [path, option] = key.split("?");
    const options =
      option === "gap=2"
        ? { printfGap: 2 }
        : option === "view=first-missing"
          ? ({ virtualView: "first-missing" } as const)
          : {};
    const file = await openAmong("unlimited.h5", options);
    const dataset = await file.dataset(path!);
    expect(dataset.shape).toEqual(expected.shape);
    expect(await readingOf(dataset)).toEqual(expected);
  });
});

describe("mappings side by side along the second dimension", () => {
  /** The most sources of a dataset that are being opened at one time. */
  async function mostAtOnce(path: string): Promise<number> {
    let [opening, most] = [0, 0];
    const openNone = async (): Promise<null> => {
      most = Math.max(most, ++opening);
      await new Promise(setImmediate);
      opening--;
      return null;
    };
    const bytes = new Uint8Array(gunzipSync(fixtureBytes("external/columns.h5.gz")));
    const dataset = await (await open(bytes, { external: { open: openNone } })).dataset(path);
    const { data } = await dataset.get();
    expect(data).toEqual(new Int32Array(dataset.shape[1]!).fill(-1));
    return most;
  }

  it("are compared two by two and read together, and one by one where that would take too many comparisons", async () => {
    expect(await mostAtOnce("few")).toBeGreaterThan(1);
    expect(await mostAtOnce("many")).toBe(1);
  });
});

describe("a virtual dataset of a thousand sources", () => {
  const bytes = new Uint8Array(gunzipSync(fixtureBytes("external/many.h5.gz")));

  it("opens none until it is read, and then those that are read from", async () => {
    const external = folderOf((name) => (/^row-\d+\.h5$/.test(name) ? fixtureBytes("external/fixed.h5") : undefined));
    const file = await open(bytes, { external, name: "many.h5" });
    const dataset = await file.dataset("rows");
    expect(dataset.virtualMappings).toHaveLength(1000);
    expect(dataset.shape).toEqual([1000, 6]);
    expect(external.asked).toEqual([]);
    const { data } = await dataset.get([{ start: 500, stop: 503, step: 1 }, 2]);
    expect(data).toEqual(Int32Array.of(2, 2, 2));
    expect(external.asked).toEqual(
      [500, 501, 502].map((i) => ({ name: `row-${i}.h5`, kind: "virtual source", from: "many.h5" })),
    );
    await dataset.get([501, 0]);
    expect(external.asked).toHaveLength(3);
  });

  it("opens no more files than limits.files", async () => {
    const external = folderOf(() => fixtureBytes("external/fixed.h5"));
    const file = await open(bytes, { external, limits: { files: 100 } });
    const dataset = await file.dataset("rows");
    await expect(dataset.get()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "files", path: "/rows" });
  });

  it("looks for no more files than limits.files, found or not", async () => {
    const external = folderOf(() => undefined);
    const file = await open(bytes, { external, limits: { files: 100 } });
    const dataset = await file.dataset("rows");
    await expect(dataset.get()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "files", path: "/rows" });
    expect(external.asked.length).toBeLessThan(120);
  });

  it("reads as fill values what none of them has", async () => {
    const file = await open(bytes, { external: folderOf(() => undefined) });
    const { data } = await (await file.dataset("rows")).get();
    expect(new Set(data as Int32Array)).toEqual(new Set([-1]));
  });
});

describe("a read of a virtual dataset", () => {
  it.each(["an abort", "an error"])("that ends by %s leaves nothing under way", async (end) => {
    const decoding: ((fail?: string) => void)[] = [];
    const decode = (bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
      new Promise((resolve, reject) => {
        decoding.push((fail) => (fail === undefined ? resolve(new Uint8Array(inflateSync(bytes))) : reject(fail)));
      });
    const file = await openAmong("fixed.h5", { filters: [{ id: 1, name: "deflate", decode }] });
    const dataset = (await file.dataset("chunked")) as Dataset<"int32">;
    const controller = new AbortController();
    const into = new Int32Array(96);
    let settled = false;
    const reading = dataset.get(null, { into, signal: controller.signal }).finally(() => {
      settled = true;
    });
    await vi.waitFor(() => expect(decoding).toHaveLength(16));
    if (end === "an abort") controller.abort("enough");
    else decoding.shift()!("no good");
    const rejected = expect(reading).rejects.toSatisfy((error) => error === "enough" || /no good/.test(error.message));
    await new Promise(setImmediate);
    expect(settled).toBe(false);
    for (const finish of decoding) finish();
    await rejected;
    into.fill(255);
    await new Promise(setImmediate);
    expect(into.every((value) => value === 255)).toBe(true);
  });
});

describe("a part of a virtual dataset", () => {
  const NAMES = ["/stacked", "/interleaved", "/blocks", "/overlapping", "/holes", "/irregular", "/names", "/turned"];

  it("is that part of all of it", async () => {
    const file = await openAmong("fixed.h5");
    const sel = (length: number): fc.Arbitrary<number | { start: number; stop: number; step: number }> =>
      fc.oneof(
        fc.nat(length - 1),
        fc.record({ start: fc.nat(length), stop: fc.nat(length), step: fc.integer({ min: 1, max: 3 }) }),
      );
    const request = fc.constantFrom(...NAMES).chain((path) => {
      const { shape } = expectedOf("fixed.h5")[path]!;
      return fc.tuple(fc.constant(path), fc.tuple(...shape.map(sel)));
    });
    await fc.assert(
      fc.asyncProperty(request, async ([path, members]) => {
        const dataset = await file.dataset(path);
        const part = members.map((member) =>
          typeof member === "number" ? { start: member, stop: member + 1, step: 1 } : member,
        );
        const read = (await readingOf(dataset, part)).data;
        expect(read).toEqual(partOf(expectedOf("fixed.h5")[path]!, part));
      }),
      { numRuns: 150 },
    );
  });

  it("by points comes in their order", async () => {
    const dataset = await (await openAmong("fixed.h5")).dataset("interleaved");
    const points = [
      [3, 5],
      [0, 0],
      [3, 5],
      [1, 23],
      [0, 1],
    ];
    const { data } = await dataset.get({ type: "points", points });
    expect(data).toEqual(Int32Array.of(119, 0, 119, 311, 100));
  });

  it("tells of its progress", async () => {
    const dataset = await (await openAmong("fixed.h5")).dataset("overlapping");
    const seen: number[] = [];
    await dataset.get(null, {
      onProgress: ({ loaded, total }) => {
        expect(total).toBe(216);
        seen.push(loaded);
      },
    });
    expect(seen.at(-1)).toBe(216);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });
});

function partOf(
  { shape, data }: { readonly shape: number[]; readonly data: unknown[] },
  part: readonly { readonly start: number; readonly stop: number; readonly step: number }[],
): unknown[] {
  let offsets = [0];
  part.forEach(({ start, stop, step }, axis) => {
    offsets = offsets.flatMap((offset) => {
      const own: number[] = [];
      for (let at = start; at < Math.min(stop, shape[axis]!); at += step) own.push(offset * shape[axis]! + at);
      return own;
    });
  });
  return offsets.map((offset) => data[offset]);
}

describe("virtual datasets that are each other's sources", () => {
  it("are refused", async () => {
    const external = fixtures();
    const file = await openAmong("nested.h5", { external });
    for (const path of ["inner", "outer"]) {
      const dataset = await file.dataset(path);
      await expect(dataset.get()).rejects.toMatchObject({ code: "INVALID_FIELD", structure: "virtual dataset" });
    }
    expect(external.asked).toEqual([]);
  });

  it("are not read more often than limits.nodes allows", async () => {
    const file = await openAmong("doubling.virtual", { limits: { nodes: 300000 } });
    const last = await file.dataset("level 15");
    expect((await last.get()).data).toEqual(Int32Array.of(7));
    const first = await file.dataset("level 0");
    await expect(first.get()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "nodes" });
  });
});

describe("without a resolver", () => {
  it("a virtual dataset of its own file is read, of others it is not", async () => {
    const file = await open(fixtureBytes("external/fixed.h5"));
    expect(await readingOf(await file.dataset("unfilled"))).toEqual(expectedOf("fixed.h5")["/unfilled"]);
    const dataset = await file.dataset("stacked");
    expect(dataset.shape).toEqual([4, 4, 6]);
    await expect(dataset.get()).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE", path: "/stacked" });
  });

  it("one without limits opens, and has no shape", async () => {
    const file = await open(fixtureBytes("external/unlimited.h5"));
    const dataset = await file.dataset("one");
    expect(dataset.maxShape).toEqual([Number.POSITIVE_INFINITY, 4]);
    expect(() => dataset.shape).toThrow(expect.objectContaining({ code: "UNSUPPORTED_FEATURE" }));
    await expect(dataset.get()).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
  });
});
