import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { need, runSync } from "../src/index.ts";
import { fileSource, fileSourceSync } from "../src/node.ts";
import { patternBytes } from "./bytes.ts";

const folder = mkdtempSync(join(tmpdir(), "file-source-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = patternBytes(5000);
const path = join(folder, "bytes.bin");
writeFileSync(path, bytes);

/** What a call gives or throws, at once or later. */
const outcome = async <T>(call: () => T): Promise<Awaited<T>> => await call();

const sources = [
  { name: "fileSource", openFile: fileSource },
  { name: "fileSourceSync", openFile: fileSourceSync },
];

describe.each(sources)("$name", ({ name, openFile }) => {
  it("reads slices, cut at the end, from a path or a file URL", async () => {
    for (const input of [path, pathToFileURL(path)]) {
      const source = await openFile(input);
      expect(source.byteLength).toBe(5000);
      expect(await source.slice(10, 20)).toEqual(bytes.subarray(10, 20));
      expect(await source.slice(4990, 2 ** 53 - 1)).toEqual(bytes.subarray(4990));
      expect(await source.slice(5000, 6000)).toHaveLength(0);
      expect(await source.slice(2 ** 52, 2 ** 53 - 1)).toHaveLength(0);
      await source.close();
    }
  });

  it("reads into a target, and says how much", async () => {
    const source = await openFile(path);
    const target = new Uint8Array(20).fill(7);
    expect(await source.readInto(100, target.subarray(5, 15))).toBe(10);
    expect(target.subarray(5, 15)).toEqual(bytes.subarray(100, 110));
    expect([target[4], target[15]]).toEqual([7, 7]);
    expect(await source.readInto(4995, target)).toBe(5);
    expect(await source.readInto(6000, target)).toBe(0);
    expect(await source.readInto(0, new Uint8Array(0))).toBe(0);
    await source.close();
  });

  it("gives what there is where the file was cut after it was opened", async () => {
    const cut = join(folder, "cut.bin");
    writeFileSync(cut, bytes);
    const source = await openFile(cut);
    truncateSync(cut, 1000);
    expect(await source.slice(900, 2000)).toEqual(bytes.subarray(900, 1000));
    await source.close();
  });

  it("fails with the system's error as its cause", async () => {
    await expect(outcome(() => openFile(join(folder, "missing.h5")))).rejects.toMatchObject({
      code: "SOURCE",
      message: expect.stringContaining("missing.h5"),
      cause: expect.objectContaining({ code: "ENOENT" }),
    });
    await expect(outcome(() => openFile(folder))).rejects.toMatchObject({
      code: "SOURCE",
      message: expect.stringContaining("expected a regular file"),
    });
  });

  it.skipIf(process.platform === "win32")("refuses a named pipe, without waiting for who writes to it", async () => {
    const pipe = join(folder, `${name}.pipe`);
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
    await expect(outcome(() => openFile(pipe))).rejects.toMatchObject({
      code: "SOURCE",
      message: expect.stringContaining("expected a regular file"),
    });
  });

  it("refuses reads once it is closed, and closes twice", async () => {
    const source = await openFile(path);
    await source.close();
    await source.close();
    const closed = { code: "SOURCE", message: expect.stringContaining("the file is closed") };
    await expect(outcome(() => source.slice(0, 1))).rejects.toMatchObject(closed);
    await expect(source.readInto(0, new Uint8Array(1))).rejects.toMatchObject(closed);
  });

  it("rejects with the signal's reason", async () => {
    const source = await openFile(path);
    const signal = AbortSignal.abort("reason");
    await expect(outcome(() => source.slice(0, 1, { signal }))).rejects.toBe("reason");
    await expect(source.readInto(0, new Uint8Array(1), { signal })).rejects.toBe("reason");
    await source.close();
  });
});

it("fileSource ends the reads under way before it closes", async () => {
  const source = await fileSource(path);
  const slice = source.slice(0, 5000);
  await source.close();
  expect(await slice).toEqual(bytes);
});

it("fileSourceSync answers at once, which runSync needs", () => {
  const source = fileSourceSync(path);
  expect(source.slice(10, 20)).toEqual(bytes.subarray(10, 20));
  expect(runSync(need("bytes", 4990, 100, 0), source)).toEqual(bytes.subarray(4990));
  source.close();
});
