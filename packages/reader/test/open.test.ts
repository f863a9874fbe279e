import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { H5Error } from "@h5/framing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { open as openCore } from "../src/core.ts";
import { type Input, open } from "../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

const bytes = bytesOf("superblock-0-deflate");

function shared(): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

describe("open takes", () => {
  const inputs: Record<string, () => Input> = {
    "a Uint8Array": () => bytes,
    "a Uint8Array inside a larger buffer": () => {
      const larger = new Uint8Array(bytes.length + 20);
      larger.set(bytes, 7);
      return larger.subarray(7, 7 + bytes.length);
    },
    "an ArrayBuffer": () => bytes.buffer,
    "a SharedArrayBuffer": shared,
    "a view of a SharedArrayBuffer": () => new Uint8Array(shared()),
    "a Buffer": () => Buffer.from(bytes),
    "a Blob": () => new Blob([bytes]),
    "a File": () => new File([bytes], "name.h5"),
    "a byte source that answers at once": () => ({ slice: (start: number, end: number) => bytes.slice(start, end) }),
    "a byte source that answers ArrayBuffers later": () => ({
      byteLength: bytes.length,
      slice: async (start: number, end: number) => bytes.slice(start, end).buffer,
    }),
  };
  it.each(Object.entries(inputs))("%s", async (_, input) => {
    const file = await open(input());
    expect(await file.keys()).toEqual(["empty", "flat", "grid"]);
    const { data } = await (await file.dataset("grid")).get();
    expect(data).toEqual(Int16Array.from({ length: 20 }, (_, i) => i));
  });

  it("nothing else", async () => {
    await expect(open(42 as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    await expect(open(null as never)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("open takes a URL", () => {
  const ranges: string[] = [];
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const range = request.headers.range ?? "";
      ranges.push(range);
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range)!.map(Number);
      const part = bytes.subarray(first!, last! + 1);
      const head = { ETag: '"1"', "Content-Range": `bytes ${first}-${first! + part.length - 1}/${bytes.length}` };
      response.writeHead(request.url === "/file.h5" ? 206 : 404, head).end(part);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file.h5`;
  });
  afterAll(() => server.close());

  it("as a string, and reads it by ranges", async () => {
    ranges.length = 0;
    const file = await open(url);
    expect(await file.keys()).toEqual(["empty", "flat", "grid"]);
    expect(ranges).toEqual(["bytes=0-65535"]);
  });

  it("as a URL", async () => {
    expect(await (await open(new URL(url))).keys()).toEqual(["empty", "flat", "grid"]);
  });

  it("that is not there with a SourceError that has the status", async () => {
    await expect(open(`${url}.gone`)).rejects.toMatchObject({ code: "SOURCE", status: 404 });
  });
});

describe("open refuses", () => {
  it.each([
    ["nothing at all", new Uint8Array(0)],
    ["text", new TextEncoder().encode("not an HDF5 file, but longer than a superblock would be ".repeat(40))],
    ["a signature alone", new Uint8Array([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])("%s", async (_, input) => {
    const error: unknown = await open(input).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(H5Error);
    expect(["INVALID_FIELD", "UNEXPECTED_EOF"]).toContain((error as H5Error).code);
  });

  it("a source that fails, with its error as the cause", async () => {
    const cause = new Error("unplugged");
    const broken = { slice: () => Promise.reject(cause) };
    await expect(open(broken)).rejects.toMatchObject({ code: "SOURCE", cause });
  });

  it("to go on after an abort, with the signal's reason", async () => {
    const reason = new Error("changed my mind");
    await expect(open(bytes, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const silent = { slice: () => new Promise<Uint8Array>(() => {}) };
    const opening = open(silent, { signal: controller.signal });
    controller.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });
});

describe("an open file", () => {
  it("tells its userblock, behind which all addresses begin", async () => {
    const file = await openFixture("userblock");
    expect(file.userblockSize).toBe(512);
    expect((await (await file.dataset("text")).get()).data).toEqual(["ab", "cde"]);
    expect((await openFixture("links")).userblockSize).toBe(0);
  });

  it("tells its superblock and whether a writer has it open", async () => {
    const file = await openFixture("four-byte-widths");
    expect(file.superblock).toMatchObject({ version: 1, offsetSize: 4, lengthSize: 4 });
    expect(file.openForWrite).toBe(false);
    const left = bytesOf("userblock");
    left[512 + 20]! |= 1;
    expect((await open(left)).openForWrite).toBe(true);
  });

  it("opens when its end is beyond the bytes; reads past them are UnexpectedEof", async () => {
    const file = await open(bytesOf("userblock").subarray(0, -8));
    await expect((await file.dataset("text")).get()).rejects.toMatchObject({ code: "UNEXPECTED_EOF", path: "/text" });
    expect((await (await file.dataset("data")).get()).data).toEqual(Int32Array.from({ length: 20 }, (_, i) => i));
  });
});

describe("@h5/reader/core", () => {
  it("is the same open with the filters to be named", async () => {
    const file = await openCore(bytes, { filters: [] });
    expect(await file.keys()).toEqual(["empty", "flat", "grid"]);
    await expect((await file.dataset("grid")).get()).rejects.toMatchObject({ code: "MISSING_FILTER" });
  });
});
