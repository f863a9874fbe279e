import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { type Chromium, launchChromium } from "@h5/testing/chromium";
import { type Site, serveSite } from "@h5/testing/site";
import { createFile } from "@h5/writer";
import type { JSHandle, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Document, ObjectNode } from "../src/document.ts";
import { bundlePages } from "./bundle-pages.ts";
import type { Order, Weather } from "./readings.ts";

vi.setConfig({ testTimeout: 60_000 });

const LARGE = 32 * 2 ** 20;
let site: Site;
let chromium: Chromium;
let page: Page;
let errors: readonly string[];

beforeAll(async () => {
  site = await serveSite(await bundlePages());
  chromium = await launchChromium();
  site.files.set("/far.h5", gunzipSync(fixtureBytes("reader/far-apart.h5.gz")));
  const large = createFile();
  large.dataset("large", new Uint8Array(LARGE));
  site.files.set("/large.h5", await large.encode());
  ({ page, errors } = await chromium.page(`${site.origin}/page`));
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await site?.close();
});

beforeEach(() => {
  site.asked.length = 0;
  site.holds = () => false;
});

afterEach(() => expect(errors).toEqual([]));

function begin(place: string, reading: Order["reading"], path: string): Promise<unknown> {
  return page.evaluate(`start(${JSON.stringify(place)}, ${JSON.stringify({ reading, input: site.origin + path })})`);
}

/** Ranges asked of a file, as `start-last`. */
function ranges(path: string): (string | undefined)[] {
  return site.asked.filter((asked) => asked.path === path).map(({ range }) => range?.replace("bytes=", ""));
}

/** What libhdf5 reads in weather.h5. */
function expectedWeather(): Weather {
  const { objects } = JSON.parse(readFileSync(fixturePath("reader/weather.json"), "utf8")) as Document;
  const at = (path: string): ObjectNode => objects![path]!;
  return {
    names: Object.keys(at("/").links!).sort(),
    title: (at("/").attrs!["title"]!.data as string[])[0],
    temperature: at("/temperature").data as number[],
    shape: at("/temperature").shape as number[],
    time: at("/time").data as number[],
    stations: at("/stations/name").data as string[],
  };
}

describe.each(["main thread", "worker"])("on a page's %s", (place) => {
  it("a file's values are those that libhdf5 reads, and come by one request", async () => {
    await begin(place, "weather", "/fixtures/reader/weather.h5");
    expect(await page.evaluate("finish()")).toEqual(expectedWeather());
    expect(ranges("/fixtures/reader/weather.h5")).toEqual(["0-65535"]);
  });

  it("a window of a larger file comes by a request for its start and one for each run of chunks", async () => {
    await begin(place, "window", "/far.h5");
    const expected = Array.from({ length: 16 }, (_, i) => ((254 + (i >> 2)) * 1024 + 510 + (i & 3)) % 251);
    expect(await page.evaluate("finish()")).toEqual(expected);
    const [first, ...together] = ranges("/far.h5");
    // Those asked for together come in any order.
    expect([first, ...together.sort()]).toEqual(["0-65535", "131072-196607", "262144-327679", "393216-458751"]);
  });

  it("a large dataset comes in parts, of which progress is told", async () => {
    await begin(place, "whole", "/large.h5");
    expect(await page.evaluate("finish()")).toEqual({ reports: 8, loaded: LARGE });
    expect(ranges("/large.h5")).toHaveLength(9);
  });

  it("a read that is cancelled rejects with the reason, leaves its requests and begins no other", async () => {
    site.holds = (start) => start > 0;
    await begin(place, "whole", "/large.h5");
    await expect.poll(() => site.asked.length, { timeout: 20_000 }).toBe(1 + 4);
    const held = site.asked.slice(1);
    // Nothing is answered any more, so that what settles the promise is the signal.
    expect(await page.evaluate(`cancel("enough")`)).toBe("enough");
    await Promise.all(held.map(({ gone }) => gone));
    // A request after all this would show that none was begun by the read.
    await page.evaluate(`fetch("/far.h5").then((answer) => answer.arrayBuffer()).then(() => {})`);
    expect(site.asked.map(({ path }) => path)).toEqual([...Array(5).fill("/large.h5"), "/far.h5"]);
  });
});

describe.each(["main thread", "worker"])("a user's file, read on a page's %s,", (place) => {
  const given = { name: "weather.h5", mimeType: "application/x-hdf5", buffer: fixtureBytes("reader/weather.h5") };
  const read = async (): Promise<unknown> => {
    await page.evaluate(`start("${place}", { reading: "weather", input: givenFile() })`);
    return await page.evaluate("finish()");
  };

  it("is read where it was chosen, without a request", async () => {
    await page.setInputFiles("input", { ...given, buffer: Buffer.from(given.buffer) });
    expect(await read()).toEqual(expectedWeather());
    expect(site.asked).toEqual([]);
  });

  it("is read where it was dropped, without a request", async () => {
    const dataTransfer: JSHandle = await page.evaluateHandle((bytes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(bytes)], "weather.h5"));
      return transfer;
    }, Array.from(given.buffer));
    await page.dispatchEvent("input", "drop", { dataTransfer });
    expect(await read()).toEqual(expectedWeather());
    expect(site.asked).toEqual([]);
  });
});
