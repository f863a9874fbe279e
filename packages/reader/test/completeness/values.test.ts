import type { ObjectReference } from "@h5/datatypes";
import { describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { bytesOf, expectedOf, openFixture, plain, plainData } from "./fixture.ts";

const file = await openFixture("values");
const expected = expectedOf("values");

async function values(name: string): Promise<unknown> {
  return await plainData(await file.dataset(name));
}

/** Opaque bytes, times and bit fields as the JSON has them: a hexadecimal string and numbers. */
function hex(bytes: Uint8Array): { hex: string } {
  return { hex: Buffer.from(bytes).toString("hex") };
}

describe("values", () => {
  it.each(["vlen of vlen", "vlen of records", "records"])("of %s are what libhdf5 reads", async (name) => {
    expect(await values(name)).toEqual(expected[`/${name}`]!.data);
  });

  it("of heap objects in arrays in records in sequences are what libhdf5 reads, with their references", async () => {
    type Leaves = readonly [readonly [Record<string, unknown>], readonly []];
    const [[wanted]] = expected["/deep"]!.data as Leaves;
    const [[found], none] = (await values("deep")) as Leaves;
    expect([found["lists"], found["kind"], none]).toEqual([wanted["lists"], wanted["kind"], []]);
    const target = await file.dereference(found["target"] as ObjectReference);
    expect({ ref: await file.pathOf(target) }).toEqual(wanted["target"]);
  });

  it("of text in filtered chunks, some never written", async () => {
    expect(await values("filtered texts")).toEqual(expected["/filtered texts"]!.data);
  });

  it("of arrays of records are flat, the array's dimensions after the dataset's", async () => {
    const { data, shape } = await (await file.dataset("arrays of records")).get();
    expect(shape).toEqual([2, 2, 2]);
    expect(plain(data)).toEqual((expected["/arrays of records"]!.data as unknown[][][]).flat(2));
  });

  it("of 128 bits are exact", async () => {
    for (const sign of ["signed", "unsigned"]) {
      expect(await values(`${sign} 128 bits`)).toEqual(expected[`/${sign} 128 bits`]!.data);
    }
  });

  it.each(["signed bytes", "big-endian", "wide"])(
    "of an enumeration of %s, also of what is no member",
    async (base) => {
      const dataset = await file.dataset(`enum of ${base}`);
      expect(dataset.datatype).toMatchObject({ class: "enum" });
      expect(await plainData(dataset)).toEqual(expected[`/enum of ${base}`]!.data);
    },
  );

  it("of opaque bytes have their tag", async () => {
    for (const tag of ["", "a tag of 24 characters..", "größe"]) {
      const dataset = await file.dataset(`opaque tagged ${tag.length}`);
      expect(dataset.datatype).toMatchObject({ class: "opaque", tag });
      const { data } = await dataset.get();
      expect(Array.from(data as unknown as Iterable<Uint8Array>, hex)).toEqual([{ hex: "010203" }, { hex: "fffefd" }]);
    }
  });

  it("of the time class are seconds", async () => {
    expect([(await file.dataset("time")).dtype, await values("time")]).toEqual(["time", [1700000000, -1]]);
  });

  it("of bit fields are their bits alone", async () => {
    expect([(await file.dataset("bitfield")).dtype, await values("bitfield")]).toEqual([
      "bitfield",
      expected["/bitfield"]!.data,
    ]);
  });

  it.each(["number", "text", "records"])("of scalar, null and empty spaces, never written: %s", async (kind) => {
    const [scalar, nothing, empty] = await Promise.all(
      ["scalar", "null", "empty"].map((space) => file.dataset(`${space} ${kind}`)),
    );
    expect([scalar, nothing, empty].map((dataset) => dataset!.spaceClass)).toEqual(["scalar", "null", "simple"]);
    const zero = { number: 0, text: "", records: { number: 0, text: "", list: [] } }[kind];
    expect(plain(await scalar!.get([]))).toEqual(zero);
    expect(await plainData(scalar!)).toEqual([zero]);
    expect([await plainData(nothing!), (await nothing!.get()).shape]).toEqual([[], [0]]);
    expect([await plainData(empty!), (await empty!.get()).shape]).toEqual([[], [3, 0, 2]]);
    expect(await file.attrs.get(`null ${kind}`)).toBeNull();
    expect(plain(await file.attrs.get(`scalar ${kind}`))).toEqual(zero);
    expect(plain(await file.attrs.get(`empty ${kind}`))).toEqual([]);
  });

  it("of every dataset and attribute are what libhdf5 reads, or null", async () => {
    for (const [name, attribute] of Object.entries(expected["/"]!.attrs!)) {
      if (attribute.data !== null) expect(await plainData(await file.attrs.attribute(name))).toEqual(attribute.data);
    }
  });
});

describe("selections of values in heaps", () => {
  it("fetch what the selected elements keep there", async () => {
    expect(plain(await (await file.dataset("vlen of vlen")).get([2]))).toEqual([[-4]]);
    expect(plain(await (await file.dataset("records")).get([2]))).toEqual({
      number: 3,
      text: "three",
      list: [1, 2, 3],
    });
    const { data } = await (await file.dataset("vlen of records")).get({ type: "points", points: [[1], [0], [1]] });
    const [first, second] = expected["/vlen of records"]!.data as unknown[];
    expect(plain(data)).toEqual([second, first, second]);
  });

  it("reject what points to no object of a heap", async () => {
    const bytes = bytesOf("values");
    const { layout } = await file.dataset("records");
    if (layout.class !== "contiguous") throw new Error("not contiguous");
    // The string of the first record: length 4, address 8, index 4 bytes, after the number and its padding.
    for (const [at, value, code] of [
      [8 + 12, 77, "INVALID_FIELD"],
      [8 + 4, 255, "INVALID_FIELD"],
      [8 + 9, 255, "UNEXPECTED_EOF"],
    ] as const) {
      const changed = new Uint8Array(bytes);
      changed[layout.address! + at] = value;
      const damaged = await (await open(changed)).dataset("records");
      await expect(plainData(damaged)).rejects.toMatchObject({ code });
      // A record of its own is taken apart at once.
      await expect(damaged.get([0])).rejects.toMatchObject({ code, path: "/records" });
      expect(plain(await damaged.get([2]))).toEqual({ number: 3, text: "three", list: [1, 2, 3] });
    }
  });
});
