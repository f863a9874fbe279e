import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { fixturePath } from "./fixtures.ts";

/** A request for a file, as the server saw it. */
export interface Asked {
  readonly path: string;
  readonly range: string | undefined;
  /** Resolves when the client has gone before it had its answer. */
  readonly gone: Promise<void>;
}

/** A web site on this machine: pages and what they load, the fixtures below `/fixtures/`, and files of tests. */
export interface Site {
  readonly origin: string;
  readonly files: Map<string, Uint8Array>;
  /** Requests for files so far, in order. */
  readonly asked: Asked[];
  /** Whether requests for a file's bytes from `start` on are left without an answer. */
  holds: (start: number) => boolean;
  close(): Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };

/** Starts a site of pages, scripts and styles by their paths; what has another ending, or none, is a page. */
export async function serveSite(pages: ReadonlyMap<string, Uint8Array | string>): Promise<Site> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url!, "http://site").pathname);
    const page = pages.get(path);
    if (page === undefined) answerFile(site, path, request, response);
    else response.setHeader("content-type", TYPES[extname(path)] ?? "text/html").end(page);
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
  const file = fixturePath(path.replace(/^\/fixtures\//, ""));
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
