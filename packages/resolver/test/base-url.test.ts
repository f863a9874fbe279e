import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type BaseUrlOptions, baseUrlResolver, type Prefixes } from "../src/index.ts";
import { contentOf, HOSTILE, IMPOSSIBLE, linkOf, ORIGIN } from "./requests.ts";

/** A server that answers every path below /data/ that has no "none" in it with the path, and remembers what it was asked. */
class Site {
  readonly server: Server = createServer((request, response) => this.#answer(request, response));
  requests: IncomingMessage[] = [];
  redirects = new Map<string, string>();
  origin = "";

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.origin = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get paths(): (string | undefined)[] {
    return this.requests.map(({ url }) => url);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.requests.push(request);
    const path = request.url!;
    const target = this.redirects.get(path);
    if (target !== undefined) response.writeHead(302, { location: target }).end();
    else if (path.includes("denied")) response.writeHead(403).end();
    else if (path.includes("broken")) response.writeHead(500).end();
    else if (path.includes("none") || !path.startsWith("/data/")) response.writeHead(404).end();
    else this.#range(request, response, path.includes("large") ? "0123456789".repeat(20000) : path);
  }

  #range(request: IncomingMessage, response: ServerResponse, body: string): void {
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!;
    const part = body.slice(Number(start), Number(end) + 1);
    const range = `bytes ${start}-${Number(start) + part.length - 1}/${body.length}`;
    response.writeHead(206, { "content-range": range, "content-length": part.length }).end(part);
  }
}

const site = new Site();
const other = new Site();
beforeAll(() => Promise.all([site.start(), other.start()]));
afterAll(() => {
  for (const { server } of [site, other]) server.close().closeAllConnections();
});
afterEach(() => {
  for (const one of [site, other]) {
    one.requests = [];
    one.redirects.clear();
  }
});

const at = (path: string): string => `${site.origin}/data/${path}`;

async function find(name: string, from = "a.h5", options?: BaseUrlOptions): Promise<string | undefined> {
  return contentOf(await baseUrlResolver(at("year.h5"), options).open(name, linkOf(at(from))));
}

const refused = {
  code: "UNSUPPORTED_FEATURE",
  structure: "external link",
  message: expect.stringMatching(/is not below .*; to open it, name its origin or folder in the option allow/),
};

describe("baseUrlResolver finds", () => {
  it.each([
    ["b.h5", "a.h5", "/data/b.h5"],
    ["b.h5", "run/a.h5", "/data/run/b.h5"],
    ["../b.h5", "run/a.h5", "/data/b.h5"],
    ["run\\c.h5", "a.h5", "/data/run/c.h5"],
    ["none/../b.h5", "a.h5", "/data/b.h5"],
    ["none/only.h5", "run/a.h5", "/data/run/only.h5"],
    ["/scratch/2021/c.h5", "run/a.h5", "/data/run/c.h5"],
    ["D:\\scratch\\only.h5", "a.h5", "/data/only.h5"],
    ["b.h5", "run/a.h5?signature=/x/y", "/data/run/b.h5"],
  ])("%s seen from %s", async (name, from, content) => {
    expect(await find(name, from)).toBe(content);
  });

  it.each([
    ["a b#1?.h5", "/data/a%20b%231%3F.h5"],
    ["..%2fsecret", "/data/..%252fsecret"],
    ["%2e%2e/secret", "/data/%252e%252e/secret"],
    ["run:1.h5", "/data/run%3A1.h5"],
    ["é.h5", "/data/%C3%A9.h5"],
    ["\udce9.h5", "/data/%e9.h5"],
    ["javascript:alert(1)", "/data/javascript%3Aalert(1)"],
  ])("a name as a name: %s", async (name, path) => {
    expect(await find(name)).toBe(path);
    expect(site.paths).toEqual([path]);
  });

  it("a URL below the base, in its usual form", async () => {
    expect(await find(at("run/%2e%2E/./b.h5#there"))).toBe("/data/b.h5");
    expect(await find(at("b.h5?v=1"))).toBe("/data/b.h5?v=1");
  });

  it("raw data in the base folder first", async () => {
    const raw = await baseUrlResolver(at("")).open("b.bin", { kind: "raw data", from: at("run/a.h5") });
    expect(raw!.name).toBe(at("b.bin"));
  });

  it("nothing where the server has nothing, after all names", async () => {
    expect(await find("x/none.h5", "run/a.h5")).toBeUndefined();
    expect(site.paths).toEqual(["/data/run/x/none.h5", "/data/x/none.h5", "/data/run/none.h5", "/data/none.h5"]);
  });

  it("by a root's relative name, and without one", async () => {
    const resolver = baseUrlResolver(new URL(at("year.h5")));
    expect((await resolver.open("year.h5", { kind: "root", from: undefined }))!.name).toBe(at("year.h5"));
    expect((await resolver.open("b.h5", linkOf("run/a.h5")))!.name).toBe(at("run/b.h5"));
    expect((await resolver.open("b.h5", linkOf("<root>")))!.name).toBe(at("b.h5"));
    expect((await resolver.open("b.h5", linkOf(undefined)))!.name).toBe(at("b.h5"));
  });

  it("members of a family by counting on", async () => {
    const member = await baseUrlResolver(at("")).open("3", { kind: "driver member", from: at("run/a%20000.h5?v=/1") });
    expect(member!.name).toBe(at("run/a%20003.h5"));
  });
});

describe("baseUrlResolver refuses, and asks no server for,", () => {
  it.each([...HOSTILE, "/none.h5", "//evil/"])("%s", async (name) => {
    // The last part is looked for below the base; here it is not there.
    await expect(find(name.replaceAll(/secret|passwd/g, "none"))).rejects.toMatchObject(refused);
    expect(site.paths.filter((path) => !/^\/data\/[^/]*$/.test(path!))).toEqual([]);
  });

  it.each(IMPOSSIBLE)("%j, which no file can be called", async (name) => {
    await expect(find(name)).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect(site.paths).toEqual([]);
  });

  it("another server", async () => {
    await expect(find(`${other.origin}/data/none.h5`)).rejects.toMatchObject(refused);
    expect(other.paths).toEqual([]);
  });

  it("URLs that other servers could take for what is outside", async () => {
    const names = ["..%2fnone", "run%5c..%5c..%5cnone", "../none", "%2e%2e/none", "..;/none", "%2e.;a/none"].map(at);
    for (const name of [
      ...names,
      `${site.origin}/datanone`,
      `${site.origin.replace("//", "//127.0.0.1@")}/data/none`,
    ]) {
      await expect(find(name), name).rejects.toMatchObject(refused);
    }
    expect(site.paths.filter((path) => !path!.startsWith("/data/") || path!.includes("%"))).toEqual([]);
  });

  it("absolute and escaping names, where the base is all of a server", async () => {
    const resolver = baseUrlResolver(site.origin);
    for (const name of ["/data/none.h5", "../data/none.h5", "x/../../none.h5"]) {
      await expect(resolver.open(name, linkOf(`${site.origin}/a.h5`)), name).rejects.toMatchObject(refused);
    }
    expect(site.paths).toEqual(["/none.h5"]);
  });

  it("what is no URL", async () => {
    await expect(find("http://[none")).rejects.toMatchObject({ code: "INVALID_FIELD" });
    expect(() => baseUrlResolver("data/")).toThrow('expected a URL, got "data/"');
  });
});

describe("redirects", () => {
  it("below the base are followed, and the file keeps its name", async () => {
    site.redirects.set("/data/latest.h5", "run/../b.h5");
    const file = await baseUrlResolver(at("")).open("latest.h5", linkOf(at("a.h5")));
    expect([file!.name, await contentOf(file)]).toEqual([at("latest.h5"), "/data/b.h5"]);
  });

  it.each(["elsewhere", "/secret", "file:///etc/passwd", "//other.example.org/"])("to %s are not", async (target) => {
    site.redirects.set("/data/b.h5", target === "elsewhere" ? `${other.origin}/data/b.h5` : target);
    await expect(find("b.h5")).rejects.toMatchObject(refused);
    expect([site.paths, other.paths]).toEqual([["/data/b.h5"], []]);
  });

  it("to an allowed origin are, without the headers of this one", async () => {
    site.redirects.set("/data/b.h5", `${other.origin}/data/c.h5`);
    expect(await find("b.h5", "a.h5", { allow: [other.origin], headers: { authorization: "Bearer 1" } })).toBe(
      "/data/c.h5",
    );
    expect(site.requests[0]!.headers.authorization).toBe("Bearer 1");
    expect(other.requests[0]!.headers.authorization).toBeUndefined();
  });

  it("in a circle end", async () => {
    site.redirects.set("/data/b.h5", "/data/b.h5");
    await expect(find("b.h5")).rejects.toMatchObject({ code: "SOURCE", message: expect.stringContaining("redirects") });
    expect(site.paths.length).toBe(21);
  });

  it("that a fetch follows by itself are refused by where they led", async () => {
    site.redirects.set("/data/b.h5", `${other.origin}/data/b.h5`);
    const following = { fetch: (url: string, init: RequestInit) => fetch(url, { ...init, redirect: "follow" }) };
    await expect(find("b.h5", "a.h5", following)).rejects.toMatchObject(refused);
  });

  it("that a browser hides are refused by where they led", async () => {
    site.redirects.set("/data/b.h5", `${other.origin}/data/b.h5`);
    site.redirects.set("/data/c.h5", "/data/d.h5");
    const browser = async (url: string, init: RequestInit) => {
      const response = await fetch(url, init);
      return response.status === 302 && init.redirect === "manual" ? opaqueRedirect() : response;
    };
    await expect(find("b.h5", "a.h5", { fetch: browser })).rejects.toMatchObject(refused);
    expect(await find("c.h5", "a.h5", { fetch: browser })).toBe("/data/d.h5");
  });
});

/** What browsers make of a redirect that is to be followed by hand. */
function opaqueRedirect() {
  const headers = { get: () => null };
  return { status: 0, type: "opaqueredirect", url: "", headers, arrayBuffer: async () => new ArrayBuffer(0) };
}

describe("baseUrlResolver's options", () => {
  it("allow opens an origin, a folder or a file", async () => {
    const url = `${other.origin}/data/sub/b.h5`;
    for (const allowed of [other.origin, `${other.origin}/data`, `${other.origin}/data/sub/`, url]) {
      expect(await find(url, "a.h5", { allow: [allowed] })).toBe("/data/sub/b.h5");
    }
    const near = [`${other.origin}/dat`, `${other.origin}/data/sub/b`, `${other.origin}/data/sub/c.h5`];
    await expect(find(url.replace("b.h5", "none.h5"), "a.h5", { allow: near })).rejects.toMatchObject(refused);
  });

  it("allow of the own origin opens escaping and absolute names as such", async () => {
    const options = { allow: [site.origin] };
    const from = `${site.origin}/data/run/a.h5`;
    const resolver = baseUrlResolver(from, options);
    expect(await contentOf(await resolver.open("../b.h5", linkOf(from)))).toBe("/data/b.h5");
    expect(await contentOf(await resolver.open("/data/x/b.h5", linkOf(from)))).toBe("/data/x/b.h5");
  });

  it("prefixes come first, and may be asked", async () => {
    const prefixes: Prefixes = { externalLink: ["fast", `${other.origin}/data/far`, `${ORIGIN}/none`] };
    expect(await find("b.h5", "run/a.h5", { prefixes })).toBe("/data/fast/b.h5");
    expect(await find("/scratch/b.h5", "a.h5", { prefixes: { externalLink: [`${other.origin}/data/far`] } })).toBe(
      "/data/far/b.h5",
    );
  });

  it("headers go with every request", async () => {
    await find("b.h5", "a.h5", { headers: { "x-key": "1" } });
    expect(site.requests[0]!.headers).toMatchObject({ "x-key": "1", range: "bytes=0-65535" });
  });
});

describe("baseUrlResolver's files", () => {
  it("are looked for once, also at once, and their first bytes not asked for again", async () => {
    const resolver = baseUrlResolver(at(""));
    const names = ["large.h5", "./large.h5", "none/../large.h5", at("large.h5")];
    const files = await Promise.all(names.map((name) => resolver.open(name, linkOf(at("a.h5")))));
    expect(new Set(files).size).toBe(1);
    const { source } = files[0]!;
    expect(Buffer.from((await source.slice(10, 65536)) as Uint8Array).length).toBe(65526);
    expect(site.paths).toEqual(["/data/large.h5"]);
    expect(Buffer.from((await source.slice(65536, 65546)) as Uint8Array).toString()).toBe("6789012345");
    expect(source.byteLength).toBe(200000);
    expect(site.paths).toEqual(["/data/large.h5", "/data/large.h5"]);
  });

  it("that fail are asked for again", async () => {
    const resolver = baseUrlResolver(at(""));
    for (const requests of [1, 2]) {
      const error = { code: "SOURCE", status: 500 };
      await expect(resolver.open("broken.h5", linkOf(at("a.h5")))).rejects.toMatchObject(error);
      expect(site.paths.length).toBe(requests);
    }
  });

  it("that are denied are an error where no other name is found", async () => {
    await expect(find("denied.h5", "run/a.h5")).rejects.toMatchObject({ code: "SOURCE", status: 403 });
    expect(site.paths).toEqual(["/data/run/denied.h5", "/data/denied.h5"]);
    expect(await find("denied/b.h5", "a.h5")).toBe("/data/b.h5");
  });

  it("an abort ends the wait of who aborts alone, with its reason", async () => {
    const resolver = baseUrlResolver(at(""));
    const controller = new AbortController();
    const waiting = resolver.open("b.h5", linkOf(at("a.h5"), controller.signal));
    const otherWaiting = resolver.open("b.h5", linkOf(at("a.h5")));
    controller.abort("enough");
    await expect(waiting).rejects.toBe("enough");
    expect(await contentOf(await otherWaiting)).toBe("/data/b.h5");
    expect(site.paths).toEqual(["/data/b.h5"]);
  });
});
