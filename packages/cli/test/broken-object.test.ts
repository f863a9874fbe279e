import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FAULTS } from "./check/faults/all.ts";
import { type Format, Planted, soundFile } from "./check/planted.ts";
import { h5, lines } from "./run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();

/** A file with a fault, written to the disk. */
async function withFault(format: Format, name: string): Promise<string> {
  const file = await Planted.in(await soundFile(format), format);
  FAULTS.find((fault) => fault.name === name)!.plant(file);
  const path = join(folder, `${format}.h5`);
  writeFileSync(path, file.bytes);
  return path;
}

/** Objects of the file that have nothing to do with the fault. */
const OTHERS = ["/grid", "/packed", "/sparse", "/names", "/typed", "/many/link19"];

describe.each<Format>(["earliest", "latest"])("%s: a file with a broken object", (format) => {
  it.each(["a damaged object header", "a datatype of no class"])(
    "is listed and dumped, the object apart: %s",
    async (fault) => {
      const path = await withFault(format, fault);
      const broken = fault === "a damaged object header" ? "/plain" : "/other";
      const listed = await h5(["ls", "-r", path]);
      expect(listed.status).toBe(1);
      expect(listed.err).toMatch(/^h5: [^\n]*could not be read\n$/);
      for (const name of OTHERS) expect(listed.out).toMatch(new RegExp(`^${name} `, "m"));
      expect(lines(listed.out).find((line) => line.startsWith(`${broken} `))).toMatch(/unreadable/);

      const dumped = await h5(["dump", path]);
      expect(dumped.status).toBe(1);
      expect(dumped.out).toContain("unreadable");
      for (const text of [...OTHERS, '"three"']) expect(dumped.out).toContain(text);
    },
  );

  it("is listed where only a chunk is damaged, and dumped but for it", async () => {
    const path = await withFault(format, "a damaged chunk");
    expect(await h5(["ls", "-r", path])).toMatchObject({ status: 0, err: "" });
    const { status, out } = await h5(["dump", path]);
    expect(status).toBe(1);
    expect(out).toMatch(/unreadable .*checksum/);
    for (const text of OTHERS) expect(out).toContain(text);
  });

  it("is listed where one group cannot be", async () => {
    const path = await withFault(format, "a tree of links without its signature");
    const { status, out } = await h5(["ls", "-r", path]);
    expect(status).toBe(1);
    for (const name of OTHERS.slice(0, 5)) expect(out).toMatch(new RegExp(`^${name} `, "m"));
    expect(out).toMatch(/unreadable/);
  });
});
