import { mkdtemp, open as openHandle, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ByteSource } from "@h5/framing";
import { fileSource } from "@h5/framing/node";
import { slice } from "@h5/selection";
import { afterAll, describe, expect, it } from "vitest";
import { type H5File, open } from "../../src/index.ts";
import { bytesOf, type Extents, json, sparseSource } from "./fixture.ts";

const folder = await mkdtemp(join(tmpdir(), "h5-addresses-"));
afterAll(() => rm(folder, { recursive: true }));

/** Puts a sparse file together on disk, where its holes take no room. */
async function sparseFile(name: string, { size, extents }: Extents): Promise<string> {
  const path = join(folder, name);
  const handle = await openHandle(path, "w");
  try {
    await handle.truncate(size);
    for (const { start, bytes } of extents) await handle.write(Buffer.from(bytes, "base64"), 0, undefined, start);
  } finally {
    await handle.close();
  }
  return path;
}

const ramp = Uint16Array.from({ length: 120 }, (_, i) => i + 1);

async function checkContents(file: H5File, hole: number): Promise<void> {
  const group = await file.group("group");
  expect(group.address).toBeGreaterThan(hole);
  expect(await group.attrs.get("note")).toBe("behind the hole");
  const chunked = await group.dataset("chunked");
  for (const { address } of await chunked.chunkInfo()) expect(address).toBeGreaterThan(hole);
  expect((await chunked.get()).data).toEqual(ramp);
  expect((await chunked.get([slice(4, 6), slice(3, 5)])).data).toEqual(Uint16Array.of(44, 45, 54, 55));
  expect((await (await group.dataset("contiguous")).get()).data).toEqual(ramp);
  expect((await (await group.dataset("words")).get()).data).toEqual(["far", "away"]);
  const { data } = await (await group.dataset("reference")).get();
  const { dataset, selection } = await file.region((data as Parameters<H5File["region"]>[0][])[0]!);
  expect((await dataset.get(selection)).data).toEqual(Uint16Array.of(22, 24, 26, 28, 52, 54, 56, 58, 82, 84, 86, 88));
  const hollow = await file.dataset("hole");
  expect(hollow.shape).toEqual([hole]);
  expect((await hollow.get([slice(hole - 3, hole)])).data).toEqual(new Uint8Array(3));
}

describe("addresses", () => {
  it.each(["beyond-4-gib", "beyond-4-gib-latest"])(
    "above 4 GiB are exact, in a sparse file on disk: %s",
    async (name) => {
      const extents = json<Extents>(`${name}.extents`);
      const source = await fileSource(await sparseFile(name, extents));
      try {
        const file = await open(source);
        await checkContents(file, extents.hole);
        if (name.endsWith("latest")) expect((await (await file.group("group")).links()).length).toBe(24);
      } finally {
        await source.close();
      }
    },
  );

  it("above 8 TiB are exact", async () => {
    const extents = json<Extents>("beyond-8-tib.extents");
    await checkContents(await open(sparseSource(extents)), extents.hole);
  });

  it("are exact up to the last byte that a number counts", async () => {
    // The contiguous data of an old header, which has no checksum, moved to the end of what can be addressed.
    const bytes = bytesOf("layouts-earliest");
    const dataset = await (await open(bytes)).dataset("contiguous");
    if (dataset.layout.class !== "contiguous") throw new Error("not contiguous");
    const { address } = dataset.layout;
    const pointer = Buffer.alloc(8);
    pointer.writeBigUInt64LE(BigInt(address!));
    const at = Buffer.from(bytes).lastIndexOf(pointer);
    const end = 2 ** 53 - 1;
    const moved = new Uint8Array(bytes);
    new DataView(moved.buffer).setBigUint64(at, BigInt(end - 240), true);
    const source: ByteSource = {
      slice: async (start, stop) => {
        const shift = start >= moved.length ? end - 240 - address! : 0;
        return moved.slice(start - shift, stop - shift);
      },
    };
    const far = await (await open(source, { cache: false })).dataset("contiguous");
    expect((far.layout as { address: number }).address).toBe(end - 240);
    const stored = Array.from((await dataset.get()).data as Uint16Array);
    expect(Array.from((await far.get()).data as Uint16Array)).toEqual(stored);
    expect(await far.get([11, 9])).toBe(120);
    expect(await far.get([0, 1])).toBe(2);
    new DataView(moved.buffer).setBigUint64(at, BigInt(end) + 1n, true);
    const past = await (await open(source, { cache: false })).dataset("contiguous");
    await expect(past.get()).rejects.toMatchObject({ code: "INVALID_FIELD", structure: "data layout message" });
  });
});
