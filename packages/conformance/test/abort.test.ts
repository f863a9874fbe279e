import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Dataset, open, type Progress } from "@h5/reader";
import { type SparseBytes, sparseBytes } from "@h5/testing";
import { createFile } from "@h5/writer";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

const MIB = 2 ** 20;
const CHUNKS = 200;
/** Requests answered before the server begins to think. */
const ANSWERED = 10;

let bytes: SparseBytes;
let server: Server;
/** What happened, in order, from the first request on. */
const events: string[] = [];
let answered = 0;
let mostAnswered = ANSWERED;
const held: ServerResponse[] = [];

beforeAll(async () => {
  bytes = sparseBytes();
  const file = createFile();
  const row = new Uint8Array(MIB);
  const rows = Array.from({ length: CHUNKS }, () => row);
  // What is all zeros is stored too, where that is not the fill value.
  file.dataset("x", rows, { dtype: "uint8", shape: [CHUNKS, MIB], chunks: [1, MIB], fillValue: 1 });
  await file.writeTo(bytes);
  server = createServer((request, response) => {
    events.push("request");
    response.on("close", () => {
      if (!response.writableFinished) events.push("gone");
    });
    if (answered++ < mostAnswered) answer(request.headers.range!, response);
    else held.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}, 60_000);

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  events.length = 0;
  held.length = 0;
  answered = 0;
  mostAnswered = ANSWERED;
});

function answer(range: string, response: ServerResponse): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range)!.map(Number);
  const part = bytes.slice(first!, last! + 1);
  response.writeHead(206, { "Content-Range": `bytes ${first}-${first! + part.length - 1}/${bytes.length}` }).end(part);
}

async function openDataset(): Promise<Dataset> {
  return await (await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).dataset("x");
}

/** Until the server has seen as many requests as a read has open at a time, all of them after those that it answered. */
async function untilHeld(count: number): Promise<void> {
  await expect.poll(() => held.length, { timeout: 20_000 }).toBe(count);
}

/** Asks the server for something, to see that it was not asked for anything before. */
async function askLast(): Promise<void> {
  mostAnswered = Number.POSITIVE_INFINITY;
  await (await openDataset()).get([0, 0]);
}

describe("a read of 200 chunks over HTTP", () => {
  it("tells of the bytes that have come, up to all of them", async () => {
    mostAnswered = Number.POSITIVE_INFINITY;
    const seen: Progress[] = [];
    await (await openDataset()).get(null, { onProgress: (progress) => seen.push({ ...progress }) });
    expect(seen).toEqual(Array.from({ length: CHUNKS }, (_, i) => ({ loaded: (i + 1) * MIB, total: CHUNKS * MIB })));
  }, 60_000);

  it("that is aborted rejects before anything else happens, leaves its connections and asks for nothing more", async () => {
    const dataset = await openDataset();
    const controller = new AbortController();
    let loaded = 0;
    const read = dataset.get(null, {
      signal: controller.signal,
      onProgress(progress) {
        loaded = progress.loaded;
      },
    });
    const settled = read.then(
      () => "resolved",
      (reason: unknown) => {
        events.push("rejected");
        return reason;
      },
    );
    await untilHeld(4);
    const [before, loadedBefore] = [events.length, loaded];
    expect(loadedBefore).toBeGreaterThan(0);
    const reason = new Error("enough");
    controller.abort(reason);
    // No answer is coming: what settles the promise is the signal alone, and it does before the server notices.
    expect(await settled).toBe(reason);
    expect(events.slice(before)).toEqual(["rejected"]);
    await expect.poll(() => events.length - before, { timeout: 20_000 }).toBe(5);
    expect(events.slice(before)).toEqual(["rejected", "gone", "gone", "gone", "gone"]);
    const after = events.length;
    await askLast();
    expect(events.slice(after)).toEqual(["request", "request"]);
    expect(loaded).toBe(loadedBefore);
  }, 60_000);

  it("that goes chunk by chunk ends with the reason, and its connection with it", async () => {
    const dataset = await openDataset();
    const controller = new AbortController();
    let rows = 0;
    const read = async (): Promise<void> => {
      for await (const { shape } of dataset.chunks({ signal: controller.signal })) rows += shape[0]!;
    };
    const settled = expect(read()).rejects.toBe("enough");
    await untilHeld(1);
    const before = events.length;
    controller.abort("enough");
    await settled;
    await expect.poll(() => events.slice(before), { timeout: 20_000 }).toEqual(["gone"]);
    const after = events.length;
    await askLast();
    expect(events.slice(after)).toEqual(["request", "request"]);
    expect(rows).toBeGreaterThan(0);
  }, 60_000);
});
