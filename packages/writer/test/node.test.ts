import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { type ByteSink, createFile } from "../src/index.ts";
import { type FileHandleLike, fileHandleSink, fileSink } from "../src/node.ts";
import { numbers, sampleFile } from "./sink/sample.ts";

const root = mkdtempSync(join(tmpdir(), "file-sink-"));
afterAll(() => rmSync(root, { recursive: true }));

let folders = 0;
function newFolder(): string {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
}

/** A file of several writes. */
function longFile() {
  const file = createFile();
  file.dataset("x", numbers(2_000_000));
  return file;
}

/** The sink, failing at one write before or after the file took it. */
function failingAt(sink: ByteSink, bad: number, error: Error): ByteSink {
  let count = 0;
  return {
    async write(position, bytes) {
      if (count === bad && bad % 2 === 0) throw error;
      await sink.write(position, bytes);
      if (count++ === bad) throw error;
    },
    close: () => sink.close!(),
    abort: (reason) => sink.abort!(reason),
  };
}

describe("fileSink", () => {
  it("makes a file at a path or a file URL", async () => {
    const folder = newFolder();
    const expected = await sampleFile().encode();
    for (const path of [join(folder, "a.h5"), pathToFileURL(join(folder, "b c.h5"))]) {
      await sampleFile().writeTo(fileSink(path));
      expect(readFileSync(path).equals(expected)).toBe(true);
    }
    expect(readdirSync(folder).sort()).toEqual(["a.h5", "b c.h5"]);
  });

  it("replaces a longer file and keeps its permissions", async () => {
    const path = join(newFolder(), "old.h5");
    writeFileSync(path, new Uint8Array(1_000_000));
    chmodSync(path, 0o600);
    await sampleFile().writeTo(fileSink(path));
    expect(readFileSync(path).equals(await sampleFile().encode())).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("replaces what a symbolic link leads to", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "real.h5"), "old");
    symlinkSync("real.h5", join(folder, "link.h5"));
    await sampleFile().writeTo(fileSink(join(folder, "link.h5")));
    expect(readlinkSync(join(folder, "link.h5"))).toBe("real.h5");
    expect(readFileSync(join(folder, "real.h5")).equals(await sampleFile().encode())).toBe(true);
  });

  it("shows nothing before the end", async () => {
    const folder = newFolder();
    const path = join(folder, "x.h5");
    const onProgress = (): void => expect(readdirSync(folder)).not.toContain("x.h5");
    await longFile().writeTo(fileSink(path), { onProgress });
    expect(readdirSync(folder)).toEqual(["x.h5"]);
  });

  it.each([false, true])("leaves nothing behind, whichever write fails; an old file (%s) stays", async (exists) => {
    let writes = 0;
    await longFile().writeTo({ write: () => void writes++ });
    expect(writes).toBeGreaterThan(3);
    for (let bad = 0; bad < writes; bad++) {
      const folder = newFolder();
      const path = join(folder, "x.h5");
      if (exists) writeFileSync(path, "the old file");
      const error = new Error(`write ${bad}`);
      await expect(longFile().writeTo(failingAt(fileSink(path), bad, error))).rejects.toBe(error);
      expect(readdirSync(folder)).toEqual(exists ? ["x.h5"] : []);
      if (exists) expect(readFileSync(path, "utf8")).toBe("the old file");
    }
  });

  it("leaves nothing behind where the signal aborts", async () => {
    const folder = newFolder();
    writeFileSync(join(folder, "x.h5"), "the old file");
    const controller = new AbortController();
    const onProgress = (): void => controller.abort("enough");
    const written = longFile().writeTo(fileSink(join(folder, "x.h5")), { signal: controller.signal, onProgress });
    await expect(written).rejects.toBe("enough");
    expect(readdirSync(folder)).toEqual(["x.h5"]);
    expect(readFileSync(join(folder, "x.h5"), "utf8")).toBe("the old file");
  });

  it("removes what it wrote where the last step fails", async () => {
    const folder = newFolder();
    const path = join(folder, "x.h5");
    const onProgress = (): void => {
      // A folder has come into its way.
      mkdirSync(path, { recursive: true });
    };
    const error = await longFile()
      .writeTo(fileSink(path), { onProgress })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "SOURCE", cause: expect.objectContaining({ syscall: "rename" }) });
    expect(readdirSync(folder)).toEqual(["x.h5"]);
  });

  it("takes one file and no more", async () => {
    const folder = newFolder();
    const sink = fileSink(join(folder, "x.h5"));
    await sampleFile().writeTo(sink);
    await expect(longFile().writeTo(sink)).rejects.toMatchObject({ code: "SOURCE" });
    expect(readdirSync(folder)).toEqual(["x.h5"]);
    expect(readFileSync(join(folder, "x.h5")).equals(await sampleFile().encode())).toBe(true);
  });

  it("makes nothing where nothing is written", async () => {
    const folder = newFolder();
    const [closed, aborted] = [fileSink(join(folder, "x.h5")), fileSink(join(folder, "y.h5"))];
    await closed.close!();
    await aborted.abort!("why not");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("refuses a folder, and a path in none", async () => {
    const folder = newFolder();
    await expect(sampleFile().writeTo(fileSink(folder))).rejects.toMatchObject({
      code: "SOURCE",
      message: expect.stringContaining("expected a regular file"),
    });
    await expect(sampleFile().writeTo(fileSink(join(folder, "none", "x.h5")))).rejects.toMatchObject({
      code: "SOURCE",
      cause: expect.objectContaining({ code: "ENOENT" }),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("fileHandleSink", () => {
  it("writes an open file, of which nothing is left, and leaves it open", async () => {
    const path = join(newFolder(), "x.h5");
    writeFileSync(path, new Uint8Array(1_000_000).fill(1));
    const handle = await open(path, "r+");
    await sampleFile().writeTo(fileHandleSink(handle));
    expect(readFileSync(path).equals(await sampleFile().encode())).toBe(true);
    expect((await handle.stat()).size).toBe(statSync(path).size);
    await handle.close();
  });

  it("empties the file where writing fails", async () => {
    const path = join(newFolder(), "x.h5");
    const handle = await open(path, "w");
    const error = new Error("third write");
    await expect(longFile().writeTo(failingAt(fileHandleSink(handle), 2, error))).rejects.toBe(error);
    await handle.close();
    expect(statSync(path).size).toBe(0);
  });

  /** A file of which the system takes at most so many bytes at a time, and in all. */
  function shortHandle(most: number, all: number) {
    const bytes = new Uint8Array(all + 200_000);
    let taken = 0;
    const handle: FileHandleLike = {
      async write(source, offset, length, position) {
        const bytesWritten = Math.min(most, length, all - taken);
        bytes.set(source.subarray(offset, offset + bytesWritten), position);
        taken += bytesWritten;
        return { bytesWritten };
      },
      truncate: async () => {},
    };
    return { handle, bytes: bytes.subarray(0, all) };
  }

  it("goes on where the system takes fewer bytes than it was given", async () => {
    const expected = await sampleFile().encode();
    const { handle, bytes } = shortHandle(1000, expected.length);
    await sampleFile().writeTo(fileHandleSink(handle));
    expect(Buffer.from(bytes).equals(expected)).toBe(true);
  });

  it("fails where the system takes no more", async () => {
    const { handle } = shortHandle(1000, 5000);
    await expect(sampleFile().writeTo(fileHandleSink(handle))).rejects.toMatchObject({
      code: "SOURCE",
      message: expect.stringContaining("takes no more"),
    });
  });
});
