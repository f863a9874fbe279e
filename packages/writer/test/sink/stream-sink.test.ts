import { describe, expect, it } from "vitest";
import { type CreateOptions, createFile, type DatasetOptions, streamSink } from "../../src/index.ts";
import { numbers, sampleFile, streamedFile } from "./sample.ts";

/** A stream that keeps what it takes. */
function collector() {
  const chunks: Uint8Array[] = [];
  const ended = { closed: false, aborted: undefined as unknown };
  const stream = new WritableStream<Uint8Array>({
    write: (chunk) => void chunks.push(chunk),
    close() {
      ended.closed = true;
    },
    abort(reason) {
      ended.aborted = reason;
    },
  });
  return { stream, ended, bytes: () => Buffer.concat(chunks) };
}

const styles: [string, CreateOptions][] = [
  ["the default", {}],
  ["earliest", { compatibility: "earliest" }],
  ["v200", { libver: "v200" }],
  ["shared messages", { sharedMessages: true, trackOrder: true }],
  ["a user block", { userblock: Uint8Array.of(1, 2, 3) }],
];

describe("streamSink", () => {
  it.each(styles)("gets the bytes that encode() gives: %s", async (_, options) => {
    const { stream, ended, bytes } = collector();
    const file = sampleFile(options);
    await file.writeTo(streamSink(stream));
    expect(bytes().equals(await file.encode())).toBe(true);
    expect(ended).toEqual({ closed: true, aborted: undefined });
  });

  it("takes contiguous blocks of fixed size", async () => {
    const values = numbers(1_500_000);
    function* blocks(): Generator<Float64Array> {
      for (let at = 0; at < values.length; at += 70_000) yield values.slice(at, at + 70_000);
    }
    const { stream, bytes } = collector();
    await streamedFile({ blocks: blocks(), rows: 1500 }).writeTo(streamSink(stream));
    expect(bytes().equals(await streamedFile({ blocks: blocks(), rows: 1500 }).encode())).toBe(true);
  });

  it.each<[string, DatasetOptions]>([
    ["chunks", { dtype: "int32", shape: [3], chunks: [2] }],
    ["a dataset that grows", { dtype: "int32", maxShape: [Infinity] }],
    ["strings of any length", { dtype: "string", shape: [3] }],
  ])("refuses blocks of %s by name, and asks for none", async (_, options) => {
    const { stream, ended, bytes } = collector();
    let asked = 0;
    const blocks = {
      [Symbol.iterator]: () => {
        asked++;
        return [][Symbol.iterator]();
      },
    };
    const file = createFile();
    file.group("g").dataset("x", blocks, options);
    const error = await file.writeTo(streamSink(stream)).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path: "/g/x", message: expect.stringContaining("seek") });
    expect(asked).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toEqual({ closed: false, aborted: error });
    expect(bytes()).toHaveLength(0);
  });

  it("refuses filters that do not give the same bytes twice", async () => {
    let turn = 0;
    const filter = {
      encoder: { id: 300, name: "moody", encode: () => Uint8Array.of(1, 2, 3).subarray(turn++ % 3) },
      optional: false,
      params: () => [],
    };
    const file = createFile();
    file.dataset("x", numbers(20), { chunks: [10], filters: [filter] });
    const { stream } = collector();
    await expect(file.writeTo(streamSink(stream))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  it("waits where the stream asks to, and is behind by no more than the stream allows", async () => {
    let inside = 0;
    let most = 0;
    const stream = new WritableStream<Uint8Array>(
      {
        async write(chunk) {
          await new Promise((resolve) => setImmediate(resolve));
          inside -= chunk.length;
        },
      },
      { highWaterMark: 1 },
    );
    const sink = streamSink(stream);
    const file = createFile();
    file.dataset("x", numbers(3_000_000));
    await file.writeTo({
      ...sink,
      async write(position, bytes, options) {
        await sink.write(position, bytes, options);
        inside += bytes.length;
        most = Math.max(most, inside);
      },
    });
    expect(inside).toBe(0);
    expect(most).toBeLessThanOrEqual(2 * 4 * 2 ** 20);
  });

  it("fails with the stream's error, be it in a write or at the end", async () => {
    const error = new Error("connection lost");
    for (const step of ["write", "close"] as const) {
      const stream = new WritableStream<Uint8Array>({ [step]: () => Promise.reject(error) });
      await expect(sampleFile().writeTo(streamSink(stream))).rejects.toBe(error);
    }
  });

  it("fails with the reason for which a reader left", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const written = sampleFile().writeTo(streamSink(writable));
    const reason = new Error("not wanted any more");
    await readable.cancel(reason);
    await expect(written).rejects.toBe(reason);
  });

  it("gives up a stalled stream when the signal aborts", async () => {
    const stream = new WritableStream<Uint8Array>({ write: () => new Promise(() => {}) });
    const controller = new AbortController();
    setTimeout(() => controller.abort("enough"));
    await expect(sampleFile().writeTo(streamSink(stream), { signal: controller.signal })).rejects.toBe("enough");
  });

  it("refuses a stream that is locked, and bytes that do not follow", async () => {
    const { stream } = collector();
    const sink = streamSink(stream);
    expect(() => streamSink(stream)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    await expect(sink.write(5, new Uint8Array(1))).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});
