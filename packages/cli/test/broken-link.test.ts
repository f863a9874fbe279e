import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { H5Error } from "@h5/framing";
import { open } from "@h5/reader";
import { describe, expect, it } from "vitest";
import { LINK_FAULTS } from "./check/faults/links.ts";
import { type Format, Planted, soundFile } from "./check/planted.ts";
import { h5 } from "./run.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const folder = temporaryFolder();
const CASES = [
  ["a link beyond numbers, or of another version", "few", { earliest: "x1", latest: "" }],
  ["a link cut short, or of no kind", "many", { earliest: "link0", latest: "" }],
  ["a link whose name is nowhere, or another one's", "many", { earliest: "" }],
] as const;

describe.each<Format>(["earliest", "latest"])("%s", (format) => {
  const cases = CASES.flatMap(([fault, path, names]) => (format in names ? [{ fault, path, names }] : []));

  describe.each(cases)("$fault", ({ fault, path, names }) => {
    // What can be read of the broken link's.
    const name = (names as Partial<Record<Format, string>>)[format]!;
    const planted = soundFile(format).then(async (sound) => {
      const file = await Planted.in(sound, format);
      const whole = await (await open(file.bytes)).group(path);
      const all = await whole.keys();
      LINK_FAULTS.find((one) => one.name === fault)!.plant(file);
      return { bytes: file.bytes, all };
    });

    it("is listed as broken, and hides none of the others", async () => {
      const { bytes, all } = await planted;
      const group = await (await open(bytes)).group(path);
      const links = await group.links();
      expect(links).toHaveLength(all.length);
      const broken = links.filter(({ type }) => type === "broken");
      expect(broken).toEqual([expect.objectContaining({ name, error: expect.any(H5Error) })]);
      if (name === "") await expect(group.keys()).rejects.toMatchObject({ code: expect.any(String) });
      else expect(await group.keys()).toEqual(links.map((link) => link.name));
      const children = await group.children();
      expect(children.filter(({ error }) => error !== undefined).map(({ link }) => link.name)).toEqual([name]);
      const others = links.filter(({ type }) => type !== "broken").map((link) => link.name);
      const lost = all.filter((one) => !others.includes(one));
      expect(lost).toHaveLength(1);
      for (const other of path === "few" ? others : []) expect((await group.get(other)).path).toBe(`/few/${other}`);
      for (const other of path === "many" ? others : [])
        await expect(group.get(other)).rejects.toMatchObject({
          code: "NOT_FOUND",
          message: expect.stringMatching(/"target\d+"/),
        });
      await expect(group.get(lost[0]!)).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_FIELD|UNSUPPORTED_FEATURE/),
      });
    });

    it("is told of by ls and dump, which go on", async () => {
      const { bytes, all } = await planted;
      const file = join(folder, "broken.h5");
      writeFileSync(file, bytes);
      for (const args of [
        ["ls", `${file}/${path}`],
        ["ls", "-r", file],
        ["dump", file],
        ["dump", "--json", file],
      ]) {
        const { out, err, status } = await h5(args);
        expect([args, status]).toEqual([args, args.includes("--json") ? 0 : 1]);
        if (status === 1) expect(err).toMatch(/1 part of the file could not be read/);
        expect(out).toMatch(/unreadable|"broken"/);
        expect(out).toContain(all.at(-1));
      }
    });
  });
});

const planted = async (plant: (file: Planted, tree: number, node: number) => void) => {
  const file = await Planted.in(await soundFile("earliest"), "earliest");
  const { tree, node } = file.symbolTable("/many");
  plant(file, tree, node);
  return file.bytes;
};
const many = async (plant: Parameters<typeof planted>[0]) => (await open(await planted(plant))).group("many");

it("tells of a name that is nowhere in the list, whatever its search met", async () => {
  // The last key of the tree, above all names.
  const group = await many((file, tree) => file.putU64(tree + 24 + 16 * file.u16(tree + 6), 2 ** 40));
  const names = await group.keys();
  expect(names.length).toBeGreaterThan(8);
  for (const missing of ["a", "zzz"]) await expect(group.get(missing)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

it("takes nothing behind a symbol table node for links of it", async () => {
  const group = await many((file, _, node) => file.put(node + 6, 9));
  await expect(group.links()).rejects.toMatchObject({
    message: expect.stringContaining("9 entries, expected at most 8"),
  });
});

it("is told of once by check, and with its group by copy", async () => {
  const file = join(folder, "no-name.h5");
  writeFileSync(file, await planted((file, _, node) => file.putU64(node + 8, 2 ** 60)));
  const { out } = await h5(["check", file]);
  expect(out.match(/^error: .*/gm)).toEqual([expect.stringMatching(/\(\/many\): name offset \d+ is above 2\^53-1/)]);
  const { err } = await h5(["copy", file, join(folder, "copy.h5")]);
  expect(err).toContain("/many/: symbol table entry: name offset");
});
