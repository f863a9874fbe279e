import { type Chromium, launchChromium } from "@h5/testing/chromium";
import { libhdf5 } from "@h5/testing/libhdf5";
import { type Site, serveSite } from "@h5/testing/site";
import type { Dataset } from "h5wasm/node";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { bundlePages } from "./bundle-pages.ts";

vi.setConfig({ testTimeout: 60_000 });

let site: Site;
let chromium: Chromium;
let page: Page;
let errors: readonly string[];

beforeAll(async () => {
  site = await serveSite(await bundlePages());
  chromium = await launchChromium();
  ({ page, errors } = await chromium.page(`${site.origin}/writings`));
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await site?.close();
});

afterEach(() => expect(errors).toEqual([]));

async function written(place: string): Promise<Uint8Array> {
  return Uint8Array.from(await page.evaluate<number[]>(`writings.${place}()`));
}

describe("a page", () => {
  it.each(["inMemory", "inFile", "inStream"])("writes %s what libhdf5 reads", async (place) => {
    const file = await libhdf5(await written(place));
    file.open("r", (opened) => {
      const data = opened.get("data") as Dataset;
      expect(data.filters.map(({ id }) => id)).toEqual([2, 1]);
      expect(data.shape).toEqual([60, 100]);
      expect(data.value).toEqual(Float64Array.from({ length: 6000 }, (_, i) => i / 4));
      const names = opened.get("names") as Dataset;
      expect(names.value).toEqual(["a", "größer", ""]);
      expect(names.attrs["unit"]!.value).toBe("m");
    });
  });

  it("leaves nothing in a file that it could not write to the end", async () => {
    expect(await written("inFailingFile")).toHaveLength(0);
  });
});
