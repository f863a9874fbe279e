import type { StructArray } from "@h5/datatypes";
import { bytesSource } from "@h5/framing";
import { slice } from "@h5/selection";
import { describe, expect, it } from "vitest";
import { open } from "../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

describe("fields", () => {
  it("are the members that are decoded, in their order", async () => {
    const records = await (await openFixture("storage")).dataset("records");
    const data = (await records.get(null, { fields: ["n", "xy", "n"] })).data as StructArray;
    expect(data.fields.map(({ name }) => name)).toEqual(["n", "xy"]);
    expect(Array.from(data, (row) => ({ ...row }))).toEqual([
      { n: 3, xy: Float32Array.of(1, 2) },
      { n: 6, xy: Float32Array.of(4, 5) },
    ]);
  });

  it("are those of one element too", async () => {
    const position = await (await openFixture("weather")).dataset("stations/position");
    const { lat } = (await position.get([2])) as unknown as { lat: number };
    expect({ ...((await position.get([2], { fields: ["lat"] })) as object) }).toEqual({ lat });
  });

  it("that no member has are refused, and those of what is no compound", async () => {
    const storage = await openFixture("storage");
    await expect((await storage.dataset("records")).get(null, { fields: ["n", "z"] })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: '/records: no member "z", expected some of ["xy","n"]',
    });
    await expect((await storage.dataset("long")).get(null, { fields: ["n"] })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("copy: false", () => {
  /** The bytes of the fixture, so many bytes from the beginning of a buffer. */
  const bytesAt = (distance: number): Uint8Array<ArrayBuffer> => {
    const bytes = bytesOf("storage");
    const moved = new Uint8Array(bytes.length + distance);
    moved.set(bytes, distance);
    return moved.subarray(distance);
  };

  it("gives a view of bytes in memory that are the values as they are", async () => {
    // Where they begin at a multiple of their size.
    for (const [name, selection, distance] of [
      ["contiguous", null, 0],
      ["contiguous", [1, slice(2, 4), null], 0],
      ["long", [slice(1, 3)], 3],
      ["matrices", [slice(1, 4)], 1],
    ] as const) {
      const bytes = bytesAt(distance);
      const dataset = await (await open(bytes)).dataset(name);
      const copied = await dataset.get(selection);
      const viewed = await dataset.get(selection, { copy: false });
      expect(viewed).toEqual(copied);
      expect((viewed.data as Int16Array).buffer === bytes.buffer).toBe(true);
      expect((copied.data as Int16Array).buffer === bytes.buffer).toBe(false);
    }
  });

  it.each([
    ["in other byte order", "big-endian", null],
    ["in chunks", "chunked", null],
    ["in the header", "compact", null],
    ["in pieces", "contiguous", [null, slice(0, 2), null]],
    ["of records", "records", null],
    ["none", "empty", null],
  ] as const)("copies elements %s", async (_, name, selection) => {
    const bytes = bytesOf("storage");
    const dataset = await (await open(bytes)).dataset(name);
    const { data } = await dataset.get(selection, { copy: false });
    expect(data).toEqual((await dataset.get(selection)).data);
    expect((data as { buffer?: unknown }).buffer === bytes.buffer).toBe(false);
    expect(bytes).toEqual(bytesOf("storage"));
  });

  it("copies what is not aligned, comes from elsewhere, or comes out as another type", async () => {
    const bytes = bytesOf("storage");
    const source = bytesSource(bytes);
    const far = { slice: (start: number, end: number) => Promise.resolve(source.slice(start, end)) };
    for (const input of [bytesAt(1), far, new Blob([bytes])]) {
      const { data } = await (await (await open(input)).dataset("contiguous")).get(null, { copy: false });
      expect(data).toEqual(Int16Array.from({ length: 210 }, (_, i) => i));
      expect((data as Int16Array).byteOffset).toBe(0);
    }
    const numbers = await (await (await open(bytes)).dataset("long")).get([slice(2)], { copy: false, int64: "number" });
    expect(numbers.data).toEqual(Float64Array.of(1, -2));
  });
});
