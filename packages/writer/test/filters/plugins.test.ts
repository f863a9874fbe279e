import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { libhdf5 } from "@h5/testing/libhdf5";
import { type Dataset, ready } from "h5wasm/node";
import { beforeAll, describe, expect, it } from "vitest";
import { bitshuffle, blosc, type ChunkFilter, createFile, fletcher32, lz4, shuffle } from "../../src/index.ts";

// The plugins themselves, built for libhdf5 in WebAssembly.
const plugins = join(dirname(createRequire(import.meta.url).resolve("h5wasm-plugins/package.json")), "plugins");
beforeAll(async () => {
  (await ready).insert_plugin_search_path(plugins, 0);
});

const steps = Int32Array.from({ length: 3001 }, (_, i) => (i >> 3) * 3 + (i % 19 === 0 ? i * 7 : 0));
const noise = Int32Array.from({ length: 3001 }, (_, i) => Math.imul(i + 1, 2654435761));
const far = Uint8Array.from({ length: 200_000 }, (_, i) => ((i % 70_000) ** 2) >>> 9);

const pipelines: readonly (readonly [name: string, filters: readonly ChunkFilter[]])[] = [
  ["lz4", [lz4()]],
  ["shuffle, lz4, fletcher32", [shuffle(), lz4(), fletcher32()]],
  ["bitshuffle", [bitshuffle()]],
  ["blosc", [blosc()]],
  ["blosc without a shuffle", [blosc("none")]],
  ["blosc with bits shuffled", [blosc("bits")]],
];

describe.each(pipelines)("the plugins undo %s", (_, filters) => {
  const whole = { steps, noise, far, zeros: new Float64Array(5000).fill(1), few: Int16Array.of(1, 2, 3) };
  it.each(Object.entries(whole))("of %s", async (_name, data) => {
    const out = createFile();
    out.dataset("one", data, { chunks: [data.length], filters });
    out.dataset("some", data, { chunks: [Math.min(data.length, 1003)], filters });
    const read = (await libhdf5(await out.encode())).open("r", (file) =>
      ["one", "some"].map((name) => (file.get(name) as Dataset).value),
    );
    const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
      Buffer.from(buffer, byteOffset, byteLength);
    for (const value of read) expect(bytesOf(value as Uint8Array).equals(bytesOf(data))).toBe(true);
  });
});

it("refuses a shuffle that Blosc does not have", () => {
  expect(() => blosc("words" as "bytes")).toThrow('expected the shuffle "none", "bytes" or "bits", got words');
});
