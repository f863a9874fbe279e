import { describe, expect, it } from "vitest";
import { blobSource } from "../../src/source/blob.ts";
import { patternBytes } from "../bytes.ts";

const bytes = patternBytes(1000);

describe("blobSource", () => {
  it("reads slices, cut at the end", async () => {
    const source = blobSource(new Blob([bytes]));
    expect(source.byteLength).toBe(1000);
    const read = async (start: number, end: number) => new Uint8Array((await source.slice(start, end)) as ArrayBuffer);
    expect(await read(10, 20)).toEqual(bytes.subarray(10, 20));
    expect(await read(990, 2000)).toEqual(bytes.subarray(990));
    expect(await read(1000, 2 ** 53 - 1)).toHaveLength(0);
    expect(await read(5, 5)).toHaveLength(0);
  });

  it("wraps what the blob throws", async () => {
    const cause = new Error("NotReadableError");
    const source = blobSource({ size: 10, slice: () => ({ arrayBuffer: () => Promise.reject(cause) }) });
    await expect(source.slice(0, 5)).rejects.toMatchObject({ code: "SOURCE", cause });
  });

  it("rejects with the signal's reason, at once", async () => {
    const source = blobSource({ size: 10, slice: () => ({ arrayBuffer: () => new Promise(() => {}) }) });
    const controller = new AbortController();
    const slice = source.slice(0, 5, { signal: controller.signal });
    controller.abort("reason");
    await expect(slice).rejects.toBe("reason");
    await expect(source.slice(0, 5, { signal: controller.signal })).rejects.toBe("reason");
  });
});
