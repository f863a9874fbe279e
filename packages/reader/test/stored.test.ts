import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { open } from "../src/index.ts";
import { externalSlots, fillOf, getStored, getStoredAttribute, getStoredFill, rawChunks } from "../src/stored.ts";
import { openFixture } from "./fixture.ts";

describe("elements as they are stored", () => {
  it("of a selection, with what they keep in the heap", async () => {
    const file = await openFixture("references");
    const dataset = await file.dataset("grid");
    const { bytes, count, datatype } = await getStored(dataset, [1, null]);
    expect([[...bytes], count, datatype]).toEqual([[4, 5, 6, 7], 4, dataset.datatype]);
  });

  it("of an attribute, whose text is in the heap", async () => {
    const file = await openFixture("weather");
    const attribute = await (await file.dataset("wind/speed")).attrs.attribute("units").catch(async () => {
      return await (await file.dataset("temperature")).attrs.attribute("units");
    });
    const { bytes, decoding, count } = await getStoredAttribute(attribute);
    const id = new DataView(bytes.buffer, bytes.byteOffset);
    const found = decoding.heap!({ address: id.getUint32(4, true), index: id.getUint32(12, true) })!;
    const text = found instanceof Uint8Array ? found : found.bytes.subarray(found.start, found.end);
    expect([count, new TextDecoder().decode(text.subarray(0, id.getUint32(0, true)))]).toEqual([
      1,
      await attribute.get().then(({ data }) => (data as string[])[0]),
    ]);
  });

  it("of all chunks, in the order in which they lie in the file", async () => {
    const dataset = await (await openFixture("weather")).dataset("temperature");
    const chunks: number[] = [];
    for await (const chunk of rawChunks(dataset)) {
      expect(chunk).toEqual(await dataset.readRawChunk(chunk.coordinate));
      chunks.push(chunk.address);
    }
    expect(chunks).toEqual((await dataset.chunkInfo()).map(({ address }) => address).sort((a, b) => a - b));
    expect(chunks.length).toBeGreaterThan(1);
  });
});

describe("what a copy needs to know", () => {
  it("the user block", async () => {
    const file = await openFixture("userblock");
    const bytes = fixtureBytes("reader/userblock.h5");
    expect(await file.readUserblock()).toEqual(bytes.subarray(0, 512));
    expect(await (await openFixture("weather")).readUserblock()).toEqual(new Uint8Array(0));
  });

  it("files that hold raw data, by name", async () => {
    const file = await open(fixtureBytes("resolver/raw.h5"));
    const slots = await externalSlots(await file.dataset("data"));
    expect(slots.length).toBeGreaterThan(0);
    expect(slots.map(({ name }) => typeof name)).toEqual(slots.map(() => "string"));
    expect(await externalSlots(await (await openFixture("weather")).dataset("time"))).toEqual([]);
  });

  it("what the file says of fill values", async () => {
    const file = await open(fixtureBytes("reader/fill-undefined.h5"));
    const dataset = await file.dataset("undefined");
    expect(fillOf(dataset)).toMatchObject({ defined: false });
    expect(await getStoredFill(dataset)).toBeUndefined();
  });
});
