import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { fixture, h5, lines } from "../run.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const folder = temporaryFolder();

/** A fixture with a bit of the checksum of its root group's header flipped. */
function damaged(): string {
  const bytes = fixtureBytes("reader/ordered.h5");
  const at = Buffer.from(bytes).indexOf("OHDR");
  bytes[at + 6]! ^= 1;
  const path = join(folder, "damaged.h5");
  writeFileSync(path, bytes);
  return path;
}

describe("h5 check", () => {
  it("says that there is nothing wrong", async () => {
    expect(await h5(["check", fixture("vlen-strings"), "--data"])).toMatchObject({ status: 0, err: "" });
    const { out } = await h5(["check", fixture("vlen-strings"), "--data"]);
    expect(lines(out).at(-1)).toMatch(/^no errors, /);
  });

  it("lists findings with their place, and exits with 1 for errors", async () => {
    const { status, out, err } = await h5(["check", damaged()]);
    expect([status, err]).toEqual([1, ""]);
    expect(out).toMatch(/^error: object header at \d+ \(\/[^)]*\): expected checksum 0x/m);
    expect(lines(out).at(-1)).toMatch(/^\d+ errors?, /);
  });

  it("prints one JSON document", async () => {
    const { status, out } = await h5(["check", "--json", damaged()]);
    expect(status).toBe(1);
    const { file, errors, warnings, findings } = JSON.parse(out);
    expect(file).toMatch(/damaged\.h5$/);
    expect(findings).toHaveLength(errors + warnings);
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: "error", structure: "object header", path: expect.stringMatching(/^\//) }),
    );
  });

  it("exits with 2 where there is no HDF5 file", async () => {
    const text = join(folder, "text.h5");
    writeFileSync(text, "nothing of the kind");
    expect(await h5(["check", text])).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringMatching(/^h5: [^\n]+\n$/),
    });
    expect(await h5(["check", join(folder, "missing.h5")])).toMatchObject({ status: 2, out: "" });
  });
});
