import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { bundleProgram } from "@h5/testing/bundle";
import { type ChunkFilter, createFile, deflate, lzf } from "@h5/writer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const MIB = 1048576;
const folder = mkdtempSync(join(tmpdir(), "h5-bombs-"));
let program = "";

beforeAll(async () => {
  program = await bundleProgram(join(import.meta.dirname, "bombs/process.ts"), folder);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** A file of four chunks of 1 MiB each, all of which say that they hold something else. */
async function bombFile(filters: readonly ChunkFilter[], chunk: Uint8Array): Promise<Uint8Array> {
  const file = createFile();
  const dataset = file.dataset("x", undefined, { dtype: "uint8", shape: [4 * MIB], chunks: [MIB], filters });
  for (let i = 0; i < 4; i++) dataset.writeRawChunk([i], chunk);
  return await file.encode();
}

const deflated = (mebibytes: number): Uint8Array => deflateSync(new Uint8Array(mebibytes * MIB));

/** LZF: a zero, then steps of three bytes that repeat it 264 times each. */
function repeated(mebibytes: number): Uint8Array {
  const steps = Math.ceil((mebibytes * MIB) / 264);
  return Uint8Array.from({ length: 2 + 3 * steps }, (_, i) => (i < 2 ? 0 : [0xe0, 255, 0][(i - 2) % 3]!));
}

describe("a file whose small chunks would decode to very much", () => {
  it.each([
    ["deflate", [deflate()], () => deflated(96)],
    ["deflate of deflate", [deflate(), deflate()], () => deflateSync(deflated(96))],
    ["lzf", [lzf()], () => repeated(96)],
    ["lzf in deflate", [lzf(), deflate()], () => deflateSync(repeated(96))],
  ] as const)(
    "is refused in little memory: %s",
    async (name, filters, bomb) => {
      const path = join(folder, `${name}.h5`);
      writeFileSync(path, await bombFile(filters, bomb()));
      const { stdout } = await promisify(execFile)(process.execPath, [program, path]);
      const told = JSON.parse(stdout) as { what: string; mebibytes: number };
      expect(told.what).toBe("chunkExcess");
      expect(told.mebibytes).toBeLessThan(64);
    },
    120_000,
  );
});
