import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { build } from "esbuild";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Document, ObjectNode } from "../src/document.ts";
import type { Reading } from "./page.ts";

const bytes = fixtureBytes("reader/weather.h5");
const ranges: (string | undefined)[] = [];
const profile = mkdtempSync(join(tmpdir(), "h5-chromium-"));
let script = "";
let server: Server;
let browser: Browser;

beforeAll(async () => {
  script = await bundlePage();
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"]
      .concat("disable-component-update", "disable-sync")
      .map((flag) => `--${flag}`),
    env: { ...process.env, HOME: profile } as Record<string, string>,
  });
}, 120_000);

afterAll(async () => {
  await browser?.close();
  server?.close();
  rmSync(profile, { recursive: true, force: true });
});

it("reads a file by HTTP ranges on a page's main thread as libhdf5 reads it", async () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(base);
  const reading = await page.evaluate<Reading>(`read(${JSON.stringify(`${base}/weather.h5`)})`);
  const { objects } = JSON.parse(readFileSync(fixturePath("reader/weather.json"), "utf8")) as Document;
  const at = (path: string): ObjectNode => objects![path]!;
  expect(reading).toEqual({
    names: Object.keys(at("/").links!).sort(),
    title: (at("/").attrs!["title"]!.data as string[])[0],
    temperature: at("/temperature").data,
    shape: at("/temperature").shape,
    time: at("/time").data,
    stations: at("/stations/name").data,
  });
  expect(errors).toEqual([]);
  expect(ranges.length).toBeGreaterThan(0);
  expect(ranges.filter((range) => range === undefined)).toEqual([]);
}, 60_000);

/** The page's script, as a bundler makes it for a browser from the packages' sources. */
async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, "page.ts")],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    conditions: ["h5-source"],
    logLevel: "warning",
  });
  return outputFiles[0]!.text;
}

/** Serves the page, its script, and ranges of the file. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === "/weather.h5") {
    answerRange(request.headers.range, response);
    return;
  }
  const isScript = request.url === "/page.js";
  response.setHeader("content-type", isScript ? "text/javascript" : "text/html; charset=utf-8");
  response.end(isScript ? script : "<!doctype html><title>h5</title><script src=/page.js></script>");
}

function answerRange(range: string | undefined, response: ServerResponse): void {
  ranges.push(range);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  if (first === undefined || last === undefined) {
    response.end(bytes);
    return;
  }
  const [start, end] = [Number(first), Math.min(Number(last) + 1, bytes.length)];
  const total = `bytes ${start < end ? `${start}-${end - 1}` : "*"}/${bytes.length}`;
  response.writeHead(start < end ? 206 : 416, { "content-range": total, etag: '"weather"' });
  response.end(bytes.subarray(start, end));
}
