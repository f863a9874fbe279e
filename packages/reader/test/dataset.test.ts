import { type Sel, slice } from "@h5/selection";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Dataset, open } from "../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

const storage = await openFixture("storage");
/** /compact, /contiguous, /chunked, /filtered and /big-endian all hold the flat index at each place of this shape. */
const SHAPE = [5, 6, 7] as const;
const LAYOUTS = ["compact", "contiguous", "chunked", "filtered", "big-endian"];

/** Positions that a member takes of a dimension, as Python's slices do. */
function positions(member: Sel, length: number): number[] {
  if (typeof member === "number") return [member < 0 ? member + length : member];
  const { start, stop, step } = member ?? slice(null);
  const place = (at: number | null, otherwise: number): number =>
    at === null ? otherwise : Math.min(length, Math.max(0, at < 0 ? at + length : at));
  const found: number[] = [];
  for (let at = place(start, 0); at < place(stop, length); at += step ?? 1) found.push(at);
  return found;
}

function bruteForce(selection: readonly Sel[]): { data: number[]; shape: number[] } {
  const [planes, rows, columns] = selection.map((member, i) => positions(member, SHAPE[i]!));
  const data = planes!.flatMap((plane) =>
    rows!.flatMap((row) => columns!.map((column) => (plane * 6 + row) * 7 + column)),
  );
  const counts = [planes!.length, rows!.length, columns!.length];
  return { data, shape: counts.filter((_, i) => typeof selection[i] !== "number") };
}

const member = (length: number): fc.Arbitrary<Sel> =>
  fc.oneof(
    fc.constant(null),
    fc.integer({ min: -length, max: length - 1 }),
    fc
      .record({
        start: fc.option(fc.integer({ min: -8, max: 8 })),
        stop: fc.option(fc.integer({ min: -8, max: 8 })),
        step: fc.option(fc.integer({ min: 1, max: 4 })),
      })
      .map(({ start, stop, step }) => ({ start, stop, step })),
  );

describe.each(LAYOUTS)("get of a dataset that is %s", async (name) => {
  const dataset = await storage.dataset(name);

  it("gives everything, row-major, with shape and strides", async () => {
    const { data, shape, stride } = await dataset.get();
    expect(data).toEqual(Int16Array.from({ length: 210 }, (_, i) => i));
    expect([shape, stride]).toEqual([
      [5, 6, 7],
      [42, 7, 1],
    ]);
  });

  it("gives what any selection takes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(member(5), member(6), member(7)), async (selection) => {
        const expected = bruteForce(selection);
        const result = await dataset.get(selection as readonly Sel[]);
        if (selection.every((part) => typeof part === "number")) expect(result).toBe(expected.data[0]);
        else expect(result).toMatchObject({ data: Int16Array.from(expected.data), shape: expected.shape });
      }),
      { numRuns: 150 },
    );
  });

  it("gives a scalar for integers alone, counted from the end where negative", async () => {
    expect(await dataset.get([4, 5, 6])).toBe(209);
    expect(await dataset.get([-1, -1, -7])).toBe(203);
  });
});

describe("a selection", async () => {
  const dataset = await storage.dataset("contiguous");

  it.each<[string, readonly Sel[]]>([
    ["of too few members", [0, 0]],
    ["of too many members", [0, 0, 0, 0]],
    ["outside the shape", [5, 0, 0]],
    ["before the shape", [0, -7, 0]],
    ["with a step of zero", [slice(0, 5, 0), null, null]],
    ["with a negative step", [slice(5, 0, -1), null, null]],
    ["with a fraction", [0.5, null, null]],
  ])("%s is refused with the path", async (_, selection) => {
    await expect(dataset.get(selection)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: "/contiguous" });
  });

  it("of nothing gives an empty array of the type", async () => {
    expect(await dataset.get([slice(2, 2), null, 3])).toMatchObject({ data: new Int16Array(0), shape: [0, 6] });
  });
});

describe("shapes without extent", () => {
  it("a scalar is one element, and itself by an empty selection", async () => {
    const scalar = await storage.dataset("scalar");
    expect([scalar.shape, scalar.maxShape, scalar.dataspace.class]).toEqual([[], [], "scalar"]);
    expect(await scalar.get()).toEqual({ data: Float64Array.of(1.25), shape: [], stride: [] });
    expect(await scalar.get([])).toBe(1.25);
  });

  it.each(["empty", "empty-chunked"])("%s has no elements", async (name) => {
    const dataset = await storage.dataset(name);
    expect(await dataset.get()).toMatchObject({ data: new Int32Array(0), shape: [0, 3] });
    await expect(dataset.get([0, 0])).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("a null dataspace has no elements, and tells itself from a scalar", async () => {
    const dataset = await (await openFixture("fill-values")).dataset("null");
    expect([dataset.shape, dataset.dataspace.class]).toEqual([[], "null"]);
    expect(await dataset.get()).toMatchObject({ data: new Float32Array(0), shape: [0] });
  });
});

describe("metadata", () => {
  it("is at hand", async () => {
    expect(await storage.dataset("filtered")).toMatchObject({
      kind: "dataset",
      path: "/filtered",
      dtype: "int16",
      shape: [5, 6, 7],
      maxShape: [5, 6, 7],
      chunkShape: [2, 4, 3],
      layout: { class: "chunked" },
      filters: [{ id: 2 }, { id: 1, params: [4] }, { id: 3 }],
      committedDatatype: undefined,
    });
    expect(await storage.dataset("compact")).toMatchObject({ chunkShape: undefined, filters: [] });
    expect((await storage.dataset("empty-chunked")).maxShape).toEqual([Infinity, 3]);
  });

  it("that is broken in one part leaves the others readable", async () => {
    const bytes = bytesOf("fill-undefined");
    const { address } = await (await open(bytes)).get("undefined");
    // The version of the version 1 dataspace message, rank 1: the first byte of the first message's body.
    bytes[Buffer.from(bytes).indexOf(Buffer.from([1, 1, 1, 0, 0, 0, 0, 0, 3]), address)] = 77;
    const dataset = await (await open(bytes)).dataset("undefined");
    expect(dataset.dtype).toBe("int16");
    expect(() => dataset.shape).toThrow(expect.objectContaining({ structure: "dataspace message" }));
    await expect(dataset.get()).rejects.toMatchObject({ path: "/undefined" });
  });
});

describe("types", () => {
  it("64-bit integers are bigints, or numbers where each is exact", async () => {
    const dataset = await storage.dataset("long");
    expect((await dataset.get()).data).toEqual(BigInt64Array.of(1n, -2n, 2n ** 53n, -(2n ** 62n)));
    expect(await dataset.get([1])).toBe(-2n);
    expect((await dataset.get([slice(2)], { int64: "number" })).data).toEqual(Float64Array.of(1, -2));
    await expect(dataset.get(null, { int64: "number" })).rejects.toMatchObject({ path: "/long" });
    const file = await openFixture("storage", { int64: "number" });
    expect(await (await file.dataset("long")).get([1])).toBe(-2);
  });

  it("an array datatype's dimensions come after the dataset's", async () => {
    const dataset = await storage.dataset("matrices");
    const { data, shape, stride } = await dataset.get();
    expect([shape, stride]).toEqual([
      [4, 2, 3],
      [6, 3, 1],
    ]);
    expect(data).toEqual(Int16Array.from({ length: 24 }, (_, i) => i));
    expect(await dataset.get([2])).toEqual(Int16Array.of(12, 13, 14, 15, 16, 17));
  });

  it("a compound's elements are records", async () => {
    const { data } = await (await storage.dataset("records")).get();
    const rows = [...(data as Iterable<Record<string, unknown>>)];
    expect(rows.map((row) => [row["xy"], row["n"]])).toEqual([
      [Float32Array.of(1, 2), 3],
      [Float32Array.of(4, 5), 6],
    ]);
  });

  it("strings and sequences come from the global heap", async () => {
    const file = await openFixture("vlen-strings");
    expect((await (await file.dataset("words")).get()).data).toEqual(["", "a", "naïve", "長い", "the last of five"]);
    const ragged = await file.dataset("ragged");
    expect((await ragged.get()).data).toEqual([Int32Array.of(1, 2, 3), new Int32Array(0), Int32Array.of(-4)]);
    expect(await ragged.get([2])).toEqual(Int32Array.of(-4));
  });

  it("narrow by is", async () => {
    const dataset: Dataset = await storage.dataset("long");
    expect([dataset.is("int64"), dataset.is("float64")]).toEqual([true, false]);
    if (dataset.is("int64")) {
      const { data } = await dataset.get();
      const first: bigint = data[0]!;
      expect(first).toBe(1n);
    }
  });
});

describe("into", () => {
  it("is filled and becomes the result's data", async () => {
    const into = new Int16Array(210);
    const { data } = await (await storage.dataset("chunked")).get(null, { into });
    expect(data).toBe(into);
    expect(into[209]).toBe(209);
  });

  it("may be a part of an array, and hold anything before", async () => {
    const fills = await openFixture("fill-values");
    for (const [file, name] of [
      [storage, "chunked"],
      [storage, "filtered"],
      [storage, "contiguous"],
      [storage, "compact"],
      [storage, "long"],
      [fills, "unwritten"],
      [fills, "default"],
      [fills, "never"],
    ] as const) {
      const dataset = await file.dataset(name);
      const { data: expected } = (await dataset.get()) as { data: Int16Array<ArrayBuffer> };
      const whole = new (expected.constructor as Int16ArrayConstructor)(expected.length + 2);
      new Uint8Array(whole.buffer).fill(0x55);
      const [before] = whole;
      const { data } = await dataset.get(null, { into: whole.subarray(1, -1) as never });
      expect((data as unknown as Int16Array).buffer).toBe(whole.buffer);
      expect(data).toEqual(expected);
      expect([whole[0], whole.at(-1)]).toEqual([before, before]);
    }
  });

  it("takes 64-bit integers as numbers", async () => {
    const dataset = await storage.dataset("long");
    const into = new Float64Array(2);
    const { data } = await dataset.get([slice(2)], { int64: "number", into: into as never });
    expect(data).toBe(into);
    expect(Array.from(into, BigInt)).toEqual(Array.from((await dataset.get([slice(2)])).data as BigInt64Array));
  });

  it("of another kind or length is refused", async () => {
    const dataset = await storage.dataset("chunked");
    for (const into of [new Uint16Array(210), new Int16Array(209), [], {}]) {
      await expect(dataset.get(null, { into })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
  });
});

describe("what was never written", async () => {
  const fills = await openFixture("fill-values");
  const read = async (name: string): Promise<unknown> => (await (await fills.dataset(name)).get()).data;

  it("reads as the fill value that is set", async () => {
    expect(await read("unwritten")).toEqual(Float64Array.of(1.5, 1.5, 1.5, 1.5));
    expect(await (await fills.dataset("unwritten")).fillValue()).toBe(1.5);
  });

  it("reads as zeros where no value is set", async () => {
    expect(await read("default")).toEqual(Uint16Array.of(0, 0, 0));
    expect(await (await fills.dataset("default")).fillValue()).toBe(0);
  });

  it("reads as zeros where the value is never to be written", async () => {
    expect(await read("never")).toEqual(Int32Array.of(0, 0, 0));
  });

  it("reads as zeros where the value is explicitly undefined", async () => {
    const dataset = await (await openFixture("fill-undefined")).dataset("undefined");
    expect((await dataset.get()).data).toEqual(Int16Array.of(0, 0, 0));
    expect(await dataset.fillValue()).toBe(0);
  });

  it("in a chunked dataset is each chunk that is missing", async () => {
    const sparse = await fills.dataset("sparse");
    const { data } = await sparse.get();
    const rows = [2, 3];
    const expected = Int32Array.from({ length: 36 }, (_, i) =>
      rows.includes(Math.floor(i / 6)) && i % 6 < 3 ? 5 : -1,
    );
    expect(data).toEqual(expected);
    expect((await sparse.get([2, slice(1, 5)])).data).toEqual(Int32Array.of(5, 5, -1, -1));
    expect(await sparse.get([0, 0])).toBe(-1);
  });

  it("has a value whose size is checked even where it is not used", async () => {
    const bytes = bytesOf("fill-values");
    const { address } = await (await open(bytes)).get("never");
    // Size 4 and value 9 of the fill value message; the size becomes 2.
    const at = Buffer.from(bytes).indexOf(Buffer.from([4, 0, 0, 0, 9, 0, 0, 0]), address);
    bytes[at] = 2;
    const dataset = await (await open(bytes)).dataset("never");
    await expect(dataset.get()).rejects.toMatchObject({ code: "INVALID_FIELD", structure: "fill value message" });
  });
});

describe("limits", () => {
  it("bound the bytes of a result", async () => {
    const file = await openFixture("storage", { limits: { readBytes: 100 } });
    const dataset = await file.dataset("contiguous");
    await expect(dataset.get()).rejects.toMatchObject({
      code: "LIMIT_EXCEEDED",
      limit: "readBytes",
      path: "/contiguous",
    });
    expect((await dataset.get([0, 0, null])).shape).toEqual([7]);
  });

  it("bound the bytes of a chunk", async () => {
    const file = await openFixture("storage", { limits: { chunkBytes: 47 } });
    await expect((await file.dataset("chunked")).get()).rejects.toMatchObject({ limit: "chunkBytes" });
    const enough = await openFixture("storage", { limits: { chunkBytes: 48 } });
    expect((await (await enough.dataset("chunked")).get()).shape).toEqual([5, 6, 7]);
  });
});
