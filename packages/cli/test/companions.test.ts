import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { h5, lines } from "./run.ts";

const folder = fixturePath("resolver");
const top = mkdtempSync(join(tmpdir(), "h5-companions-"));
afterAll(() => rmSync(top, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

/** The values of /data of a file, as `h5 dump --json` prints them. */
async function dataOf(file: string): Promise<unknown> {
  const { status, out, err } = await h5(["dump", "--json", file]);
  expect([status, err]).toEqual([0, ""]);
  return (JSON.parse(out) as { objects: Record<string, { data: unknown }> }).objects["/data"]!.data;
}

/** What libhdf5 reads of it. */
function expectedOf(name: string): unknown {
  const path = fixturePath(`resolver/${name}.json`);
  return (JSON.parse(readFileSync(path, "utf8")) as { objects: Record<string, { data: unknown }> }).objects["/data"]!
    .data;
}

describe("a file's companions", () => {
  it.each(["virtual", "raw"])("in its own folder: %s", async (name) => {
    expect(await dataOf(`${folder}/${name}.h5`)).toEqual(expectedOf(name));
  });

  it("beside a symbolic link, and beside what it leads to", async () => {
    const [here, store] = [join(top, "here"), join(top, "store")];
    for (const path of [here, store]) mkdirSync(path);
    cpSync(`${folder}/virtual.h5`, join(store, "3e1f"));
    symlinkSync("../store/3e1f", join(here, "virtual.h5"));
    cpSync(`${folder}/parts/0.h5`, join(here, "parts/0.h5"));
    cpSync(`${folder}/parts/1.h5`, join(store, "parts/1.h5"));
    expect(await dataOf(join(here, "virtual.h5"))).toEqual(expectedOf("virtual"));
  });

  it("reached by a path through external links", async () => {
    const { out } = await h5(["ls", `${folder}/year.h5/jan/first`]);
    expect(lines(out).map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      "data  dataset  (3)  int32",
      "month  external link  -> ../jan.h5:/data",
      "round  external link  -> ../../year.h5:/round",
    ]);
  });

  it("that lie outside are refused in a line that says so", async () => {
    const { status, err } = await h5(["ls", `${folder}/year.h5/escape`]);
    expect(status).toBe(1);
    expect(err).toMatch(/^h5: .*above\.h5 is not in .*\[UNSUPPORTED_FEATURE\]\n$/);
  });

  it("where libhdf5's environment variables say", async () => {
    const away = join(top, "away");
    for (const name of ["virtual.h5", "raw.h5", "year.h5"]) cpSync(`${folder}/${name}`, join(away, name));
    vi.stubEnv("HDF5_VDS_PREFIX", `/nowhere:${folder}`);
    vi.stubEnv("HDF5_EXTFILE_PREFIX", folder);
    vi.stubEnv("HDF5_EXT_PREFIX", folder);
    expect(await dataOf(join(away, "virtual.h5"))).toEqual(expectedOf("virtual"));
    expect(await dataOf(join(away, "raw.h5"))).toEqual(expectedOf("raw"));
    expect((await h5(["ls", `${away}/year.h5/moved`])).out).toContain("(2)");
  });

  it("under its URL", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const path = request.url!.replace(/\?.*$/, "");
      asked.push(path);
      try {
        response.end(fixtureBytes(path));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/resolver`;
    expect(await dataOf(`${url}/virtual.h5?version=/1`)).toEqual(expectedOf("virtual"));
    expect((await h5(["ls", `${url}/year.h5/escape`])).err).toMatch(/above\.h5 is not below .*\[UNSUPPORTED_FEATURE\]/);
    server.close().closeAllConnections();
    expect(asked.filter((path) => !path.startsWith("/resolver"))).toEqual([]);
  });
});
