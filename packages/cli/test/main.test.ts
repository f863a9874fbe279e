import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open } from "@h5/reader";
import { fixtureBytes } from "@h5/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { fixture, h5, lines } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "h5-main-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** storage.h5 with the header of /contiguous made unreadable. */
async function damagedFile(): Promise<string> {
  const bytes = fixtureBytes("reader/storage.h5");
  bytes[(await (await open(bytes)).get("contiguous")).address] = 0xee;
  const path = join(folder, "damaged.h5");
  writeFileSync(path, bytes);
  return path;
}

describe("ls", () => {
  it("lists names, kinds, shapes, types and targets in columns", async () => {
    const { status, out, err } = await h5(["ls", fixture("weather")]);
    expect([status, err]).toEqual([0, ""]);
    expect(lines(out)).toEqual([
      "latest       soft link  -> /temperature",
      "stations     group",
      "temperature  dataset    (48, 4) of (unlimited, 4)  float32",
      "time         dataset    (48)                       int64",
      "wind         group",
    ]);
  });

  it("-r lists everything below by its path, ancestors marked", async () => {
    const { out } = await h5(["ls", "-r", fixture("links")]);
    expect(lines(out).map((line) => line.split(/ {2,}/))).toEqual([
      ["/__proto__", "datatype", expect.stringMatching(/^compound/)],
      ["/alias", "dataset", "(3)", "int8"],
      ["/circle", "soft link", "-> /circle"],
      ["/dangling", "soft link", "-> /nothing/here"],
      ["/elsewhere", "external link", "-> other.h5:/data"],
      ["/group", "group"],
      ["/group/data", "dataset", "(3)", "int8"],
      ["/group/up", "group", "(one of its own ancestors)"],
      ["/soft", "soft link", "-> group/./data"],
    ]);
  });

  it("-v adds storage and attributes", async () => {
    const { out } = await h5(["ls", "-v", fixture("weather")]);
    expect(out).toContain("    storage: chunked (24, 4), shuffle 4, deflate 4\n");
    expect(out).toContain('    @units "degC"  () string (utf-8, variable)\n');
    expect(out).toContain("    links: symtab\n");
  });

  it("FILE/path lists a group in the file, or one object", async () => {
    const group = await h5(["ls", `${fixture("weather")}/stations`]);
    expect(lines(group.out).map((line) => line.split(" ")[0])).toEqual(["name", "position"]);
    const dataset = await h5(["ls", `${fixture("weather")}/wind/speed`]);
    expect(dataset.out).toBe("/wind/speed  dataset  (48, 4)  float32 (big-endian)\n");
  });

  it("lists an object that cannot be read with the others, and gives status 1", async () => {
    const { status, out, err } = await h5(["ls", await damagedFile()]);
    expect(status).toBe(1);
    expect(lines(out).length).toBe(11);
    expect(out).toMatch(/^contiguous +unreadable object header: .*\(at address \d+\)$/m);
    expect(err).toMatch(/^h5: .*\.h5: 1 part of the file could not be read\n$/);
  });
});

describe("dump", () => {
  it("prints every object with its attributes, and values by rows with the index of the first", async () => {
    const { status, out } = await h5(["dump", `${fixture("references")}/grid`]);
    expect(status).toBe(0);
    expect(lines(out)).toEqual([
      "/grid  dataset  (3, 4)  int8  contiguous",
      "  (0, 0) 0, 1, 2, 3",
      "  (1, 0) 4, 5, 6, 7",
      "  (2, 0) 8, 9, 10, 11",
    ]);
  });

  it("-d dumps one object", async () => {
    const { out } = await h5(["dump", "-d", "/scalar", fixture("storage")]);
    expect(lines(out)).toEqual(["/scalar  dataset  ()  float64  contiguous", "   1.25"]);
  });

  it("leaves out what is long, with a count; -a prints it all", async () => {
    const some = await h5(["dump", "-d", "/many", fixture("references")]);
    expect(lines(some.out).at(-1)).toBe("  … 2900 more");
    const all = await h5(["dump", "-a", "-d", "/many", fixture("references")]);
    expect(lines(all.out).at(-1)).toMatch(/2999$/);
    expect(all.out).not.toContain("more");
  });

  it("shows values in the field's words", async () => {
    const { out } = await h5(["dump", fixture("references")]);
    for (const line of [
      "  (0) 9007199254740991, 9007199254740992, 18446744073709551615",
      "  (0) GREEN, RED, 2",
      "  (0) NaN, Infinity, -Infinity, 0.5",
      '  (0) "ok", 0xfffe',
      "  (0) 0x0102",
    ]) {
      expect(lines(out)).toContain(line);
    }
    const attributes = await h5(["dump", fixture("attributes")]);
    expect(attributes.out).toContain("  @flag TRUE  () bool\n");
    expect(attributes.out).toContain('  @texts ["x", "", "long enough"]  (3) string (utf-8, variable)\n');
    expect(attributes.out).toContain("  @null null int32\n");
  });

  it("breaks lines at the terminal's width", async () => {
    const longest = async (columns: number): Promise<number> => {
      const { out } = await h5(["dump", "-d", "/many", fixture("references")], { columns });
      return Math.max(
        ...lines(out)
          .slice(1)
          .map(({ length }) => length),
      );
    };
    expect(await longest(40)).toBeLessThanOrEqual(40);
    expect(await longest(120)).toBeGreaterThan(80);
  });

  it("prints what can be read of a damaged file, and gives status 1", async () => {
    const { status, out, err } = await h5(["dump", await damagedFile()]);
    expect(status).toBe(1);
    expect(out).toMatch(/^\/contiguous unreadable object header: /m);
    expect(out).toContain("/scalar  dataset");
    expect(err).toMatch(/^h5: .*\.h5: 1 part of the file could not be read\n$/);
  });
});

describe("a part that cannot be read", () => {
  it("of an object's attributes, type or storage is said in its place, with status 1", async () => {
    const bytes = Buffer.from(fixtureBytes("reader/attributes.h5"));
    bytes[bytes.indexOf("toString\0") - 8] = 99;
    const attribute = join(folder, "attribute.h5");
    writeFileSync(attribute, bytes);
    const dumped = await h5(["dump", attribute]);
    expect([dumped.status, dumped.err]).toEqual([
      1,
      expect.stringMatching(/: 1 part of the file could not be read\n$/),
    ]);
    expect(dumped.out).toMatch(/^ {2}unreadable .*attribute message/m);
    expect(dumped.out).toContain("  @scalar 2.5  () float32\n");
    expect((await h5(["ls", attribute])).status).toBe(0);

    const type = Buffer.from(fixtureBytes("reader/fill-undefined.h5"));
    // Class and version of the datatype message of a 2-byte integer, then its bits and size.
    type[type.indexOf(Buffer.from([0x10, 0x08, 0, 0, 2, 0, 0, 0]))] = 0x1f;
    const datatype = join(folder, "datatype.h5");
    writeFileSync(datatype, type);
    const listed = await h5(["ls", datatype]);
    expect(listed.status).toBe(1);
    expect(listed.out).toMatch(/^undefined +dataset +\(3\) +unreadable datatype message/m);
  });
});

describe("dump --json", () => {
  it("prints one document a line for each file", async () => {
    const { status, out, err } = await h5(["dump", "--json", fixture("userblock"), fixture("links")]);
    expect([status, err]).toEqual([0, ""]);
    const documents = lines(out).map((line) => JSON.parse(line));
    expect(documents.map(({ file, userblock }) => [file, userblock])).toEqual([
      ["userblock.h5", 512],
      ["links.h5", 0],
    ]);
  });

  it("gives a file that fails as its error, and goes on with status 1", async () => {
    const text = join(folder, "text.h5");
    writeFileSync(text, "this is no HDF5 file");
    const { status, out, err } = await h5(["dump", "--json", text, join(folder, "missing.h5"), fixture("userblock")]);
    expect(status).toBe(1);
    const documents = lines(out).map((line) => JSON.parse(line));
    expect(documents).toMatchObject([
      { file: "text.h5", error: { code: "INVALID_FIELD", message: expect.any(String) } },
      { file: "missing.h5", error: { code: "NOT_FOUND", message: expect.any(String) } },
      { file: "userblock.h5", objects: {} },
    ]);
    expect(lines(err).length).toBe(2);
  });
});

describe("a URL", () => {
  const bytes = fixtureBytes("reader/weather.h5");
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "")!.map(Number);
      const part = bytes.subarray(first!, last! + 1);
      const head = { "Content-Range": `bytes ${first}-${first! + part.length - 1}/${bytes.length}` };
      if (request.url === "/listed") response.end("<title>Index of /listed</title>");
      else response.writeHead(request.url === "/data/weather.h5" ? 206 : 404, head).end(part);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/data/weather.h5`;
  });
  afterAll(() => server.close());

  it("is a FILE like another, with a path behind it or without", async () => {
    expect((await h5(["ls", url])).out).toBe((await h5(["ls", fixture("weather")])).out);
    expect((await h5(["ls", `${url}/wind/speed`])).out).toMatch(/^\/wind\/speed {2}dataset/);
    expect(JSON.parse((await h5(["dump", "--json", url])).out).file).toBe("weather.h5");
  });

  it("that is not there is an error in one line", async () => {
    const { status, out, err } = await h5(["ls", url.replace("weather", "gone")]);
    expect([status, out, lines(err).length]).toEqual([1, "", 1]);
    expect(err).toMatch(/^h5: .*404.*\[SOURCE\]$/m);
  });

  it("that is not there is so in a folder too that the server lists as a page", async () => {
    const { err } = await h5(["ls", url.replace("data/weather", "listed/gone")]);
    expect(err).toMatch(/^h5: .*\/listed\/gone\.h5: .*404.*\[SOURCE\]$/m);
  });
});

describe("--version", () => {
  it("prints the package's own", async () => {
    expect(await h5(["--version"])).toEqual({ status: 0, out: `${manifest.version}\n`, err: "" });
  });
});

describe("errors", () => {
  it.each([
    ["a file that is not there", ["ls", "/no/such.h5"], "NOT_FOUND"],
    ["an object that is not there", ["ls", `${fixture("weather")}/nothing`], "NOT_FOUND"],
    ["a file that is not HDF5", ["dump", import.meta.filename], "INVALID_FIELD"],
    ["an external link to no file", ["dump", "-d", "elsewhere", fixture("links")], "NOT_FOUND"],
    ["a soft link to itself", ["ls", `${fixture("links")}/circle`], "INVALID_FIELD"],
  ])("%s: one line on stderr with the code, status 1", async (_, args, code) => {
    const { status, out, err } = await h5(args);
    expect([status, out, lines(err).length]).toEqual([1, "", 1]);
    expect(err).toMatch(new RegExp(`^h5: .+ \\[${code}\\]$`, "m"));
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["list"]],
    ["an unknown option", ["ls", "--long", "file.h5"]],
    ["no file", ["dump"]],
    ["two files for ls", ["ls", "a.h5", "b.h5"]],
    ["several files without --json", ["dump", "a.h5", "b.h5"]],
    ["an option without its value", ["dump", "file.h5", "-d"]],
    ["--json with a part of a file", ["dump", "--json", "-d", "/", "file.h5"]],
  ])("%s is a usage error, status 2", async (_, args) => {
    const { status, out, err } = await h5(args);
    expect([status, out]).toEqual([2, ""]);
    expect(err).not.toBe("");
    expect(err).not.toMatch(/^ +at /m);
  });

  it("help is none, and goes to stdout", async () => {
    for (const args of [["--help"], ["ls", "--help"], ["help", "dump"]]) {
      const { status, out, err } = await h5(args);
      expect([status, err]).toEqual([0, ""]);
      expect(out).toMatch(/^Usage: h5/);
    }
  });
});

describe("colours", () => {
  const ESC = String.fromCharCode(27);

  it("come only on a terminal", async () => {
    const plain = await h5(["ls", fixture("weather")]);
    const coloured = await h5(["ls", fixture("weather")], { isTTY: true });
    expect(plain.out).not.toContain(ESC);
    expect(coloured.out).toContain(ESC);
    expect(coloured.out.replaceAll(new RegExp(`${ESC}\\[\\d+m`, "g"), "")).toBe(plain.out);
    expect((await h5(["dump", fixture("weather")])).out).not.toContain(ESC);
  });

  it("never in JSON", async () => {
    expect((await h5(["dump", "--json", fixture("links")], { isTTY: true })).out).not.toContain(ESC);
  });
});

describe("control characters in a file's text", () => {
  it("are spelt out: in names, values and errors", async () => {
    const bytes = fixtureBytes("reader/soft-links.h5");
    const text = Buffer.from(bytes);
    text.set([27, 91, 72], text.indexOf("ping\0"));
    const path = join(folder, "control.h5");
    writeFileSync(path, text);
    const { out } = await h5(["ls", path]);
    expect(out).toMatch(/^\\x1b\[Hg /m);
    const { err } = await h5(["ls", `${path}/\u001b[2J`]);
    expect(err).toMatch(/^h5: .*\/\\x1b\[2J: \/\\x1b\[2J: /);
  });
});
