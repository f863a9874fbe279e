import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { FIXTURES } from "../src/cases.ts";
import { bundlePages } from "./bundle-pages.ts";

/** A request for a file, as the server saw it. */
export interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  /** Resolves when the client has gone before it had its answer. */
  readonly gone: Promise<void>;
}

/** A web site on this machine: an empty page for each script, the fixtures below `/fixtures/`, and files of tests. */
export interface Site {
  readonly origin: string;
  readonly files: Map<string, Uint8Array>;
  /** Requests for files so far, in order. */
  readonly asked: Asked[];
  /** Whether requests for a file's bytes from `start` on are left without an answer. */
  holds: (start: number) => boolean;
  close(): Promise<void>;
}

/** Starts a site; `/page` is a page that loads `/page.js`. */
export async function serveSite(): Promise<Site> {
  const scripts = await bundlePages();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url!);
    const script = scripts.get(path);
    if (script !== undefined) response.setHeader("content-type", "text/javascript").end(script);
    else if (scripts.has(`${path}.js`)) response.setHeader("content-type", "text/html").end(htmlOf(path));
    else answerFile(site, path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const site: Site = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    files: new Map(),
    asked: [],
    holds: () => false,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return site;
}

/** A page with a place to choose or drop a file. */
function htmlOf(path: string): string {
  return `<!doctype html><meta charset=utf-8><title>h5</title><input type=file><script type=module src=${path}.js></script>`;
}

function answerFile(site: Site, path: string, request: IncomingMessage, response: ServerResponse): void {
  const { range } = request.headers;
  const gone = new Promise<void>((resolve) => {
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
  site.asked.push({ path, range, gone });
  const bytes = site.files.get(path) ?? fixture(path);
  if (bytes === undefined) response.writeHead(404).end();
  else answerRange(site, bytes, range, response);
}

function fixture(path: string): Uint8Array | undefined {
  const file = join(FIXTURES, path.replace(/^\/fixtures\//, ""));
  return path.startsWith("/fixtures/") && existsSync(file) ? readFileSync(file) : undefined;
}

function answerRange(site: Site, bytes: Uint8Array, range: string | undefined, response: ServerResponse): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (first === undefined || last === undefined) {
    response.end(bytes);
    return;
  }
  const [start, end] = [Number(first), Math.min(Number(last) + 1, bytes.length)];
  if (site.holds(start)) return;
  const part = `bytes ${start < end ? `${start}-${end - 1}` : "*"}/${bytes.length}`;
  response.writeHead(start < end ? 206 : 416, { "content-range": part, etag: '"one"' });
  response.end(bytes.subarray(start, end));
}
