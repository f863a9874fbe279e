import type { ByteSource } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { fetchPieces, type Piece } from "../src/fetch.ts";

const MIB = 1 << 20;
const stored = Uint8Array.from({ length: 40 * MIB }, (_, i) => (i * 7 + (i >>> 12)) & 255);

/** A source that reads into given memory, and the buffers it was given. */
function nearSource() {
  const buffers = new Set<ArrayBufferLike>();
  const data: ByteSource = {
    slice: (start, end) => stored.slice(start, end),
    async readInto(start, target) {
      buffers.add(target.buffer);
      target.set(stored.subarray(start, start + target.length));
      return target.length;
    },
  };
  const metadata: ByteSource = { slice: data.slice };
  return { buffers, sources: { data, metadata } };
}

/** Pieces of `size` bytes that check their bytes a while after they came. */
function pieces(size: number, landingBytes: number, landed: { count: number; most: number }): Piece[] {
  let under = 0;
  return Array.from({ length: Math.floor(stored.length / size) }, (_, i) => ({
    start: i * size,
    end: (i + 1) * size,
    landingBytes,
    async land(bytes) {
      landed.most = Math.max(landed.most, ++under);
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (Buffer.compare(bytes, stored.subarray(i * size, (i + 1) * size)) === 0) landed.count++;
      under--;
    },
  }));
}

describe("pieces of a source that reads into given memory", () => {
  it("come in few buffers, which no piece loses before it has landed", async () => {
    const { buffers, sources } = nearSource();
    const landed = { count: 0, most: 0 };
    await fetchPieces(sources, pieces(100000, 1, landed), "test", {});
    expect(landed.count).toBe(419);
    expect(buffers.size).toBeLessThanOrEqual(8);
  });

  it.each([
    ["the buffers of the fetch before", undefined, 1],
    ["new buffers where nothing is to be kept", false, 5],
  ] as const)("come in %s", async (_, cache, expected) => {
    const { buffers, sources } = nearSource();
    for (let i = 0; i < 5; i++) {
      const file = { ...sources, cache };
      await fetchPieces(file, pieces(100000, 1, { count: 0, most: 0 }).slice(i, i + 1), "test", {});
    }
    expect(buffers.size).toBe(expected);
  });

  it.each([
    [1, 8],
    [4 * MIB, 4],
    [64 * MIB, 1],
  ])("that take %d bytes each to land do so %d at a time", async (landingBytes, most) => {
    const landed = { count: 0, most: 0 };
    await fetchPieces(nearSource().sources, pieces(250000, landingBytes, landed), "test", {});
    expect(landed).toEqual({ count: 167, most });
  });

  it("that fail end the rest, once nothing is under way", async () => {
    const landed = { count: 0, most: 0 };
    const all = pieces(100000, 1, landed);
    let under = 0;
    const failing = all.map((piece, i) => ({
      ...piece,
      async land(bytes: Uint8Array) {
        under++;
        await piece.land(bytes);
        under--;
        if (i === 30) throw new Error("no good");
      },
    }));
    await expect(fetchPieces(nearSource().sources, failing, "test", {})).rejects.toThrow("no good");
    expect(under).toBe(0);
    expect(landed.count).toBeLessThan(100);
  });

  it("listen to the caller's signal once, and abort with it", async () => {
    let listeners = 0;
    let most = 0;
    const controller = new AbortController();
    const { signal } = controller;
    const [listen, leave] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)];
    signal.addEventListener = (...args: Parameters<typeof listen>) => {
      most = Math.max(most, ++listeners);
      listen(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof leave>) => {
      listeners--;
      leave(...args);
    };
    const landed = { count: 0, most: 0 };
    await fetchPieces(nearSource().sources, pieces(MIB, 1, landed), "test", { signal });
    expect({ landed: landed.count, listeners, most }).toEqual({ landed: 40, listeners: 0, most: 1 });
    const never: ByteSource = { slice: () => new Promise(() => {}) };
    const aborted = fetchPieces({ data: never, metadata: never }, pieces(MIB, 1, landed), "test", { signal });
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
  });
});
