import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { bundleProgram } from "@h5/testing/bundle";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);

/** What the chunk holds once decoded, by its dataset. */
const NOMINAL = 1048576;
const MOST = 4294967295;

const deflated = (megabytes: number): Uint8Array => deflateSync(new Uint8Array(megabytes * 1048576));
const filter = (id: number, params: readonly number[] = []) => ({ id, params, flags: 0, optional: false });

/** A zero, and steps of three bytes that repeat it 264 times each. */
function lzf(megabytes: number): Uint8Array {
  const steps = Math.ceil((megabytes * 1048576) / 264);
  return Uint8Array.from({ length: 2 + 3 * steps }, (_, i) => (i < 2 ? 0 : [0xe0, 255, 0][(i - 2) % 3]!));
}

/** A claimed length, and the code of many blocks of zeros. */
function szip(bytes: number): Uint8Array {
  const chunk = new Uint8Array(65536);
  new DataView(chunk.buffer).setUint32(0, bytes, true);
  return chunk;
}

/** Elements, of 4 bytes and 8 that count: they are little-endian and not signed. */
const nbit = (count: number): number[] => [8, 0, count, 1, 4, 0, 8, 0];
const scaleOffset = (count: number): number[] => [2, 0, count, 0, 4, 0, 0, 0, ...Array.from({ length: 12 }, () => 0)];
/** As if all numbers were the smallest, which takes no bits. */
const allAlike = (): Uint8Array => Uint8Array.from({ length: 21 }, (_, i) => (i === 4 ? 8 : 0));

describe("a small chunk that would decode to very much", () => {
  const folder = mkdtempSync(join(tmpdir(), "h5-bombs-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  let program: string;
  beforeAll(async () => {
    program = await bundleProgram(join(import.meta.dirname, "bombs-process.ts"), folder);
  });

  it.each([
    ["deflate", [filter(1)], () => deflated(96), "chunkExcess"],
    ["lzf", [filter(32000)], () => lzf(128), "chunkExcess"],
    ["szip", [filter(4, [4, 32, 8, 4096])], () => szip(64 * 1048576), "chunkExcess"],
    ["szip, of more than its code can give", [filter(4, [4, 32, 8, 4096])], () => szip(MOST), "chunkExcess"],
    ["nbit", [filter(5, nbit(MOST))], () => new Uint8Array(65536), "chunkExcess"],
    ["nbit, of less than is claimed", [filter(5, nbit(4194304))], () => new Uint8Array(65536), "INVALID_FIELD"],
    ["scale-offset", [filter(6, scaleOffset(MOST))], allAlike, "chunkExcess"],
    [
      "deflate of deflate of deflate",
      [1, 1, 1].map((id) => filter(id)),
      () => deflateSync(deflateSync(deflated(96))),
      "chunkExcess",
    ],
    ["lzf before deflate", [filter(32000), filter(1)], () => deflateSync(lzf(128)), "chunkExcess"],
    ["deflate, 32 times", Array.from({ length: 32 }, () => filter(1)), () => deflated(96), "chunkExcess"],
  ] as const)("is refused in little memory: %s", { timeout: 120_000 }, async (name, filters, bomb, what) => {
    const path = join(folder, name);
    writeFileSync(path, bomb());
    const { stdout } = await run(process.execPath, [program, path, JSON.stringify(filters), String(NOMINAL)]);
    const told = JSON.parse(stdout) as { what: string; mebibytes: number };
    expect(told.what).toBe(what);
    expect(told.mebibytes).toBeLessThan(64);
  });
});
