import { readFileSync } from "node:fs";
import { launchChromium } from "@h5/testing/chromium";
import { serveSite } from "@h5/testing/site";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { casesOf, FIXTURES } from "../src/cases.ts";
import { compareDocuments } from "../src/compare.ts";
import type { Document } from "../src/document.ts";
import { problems, readKnownFailures } from "../src/known-failures.ts";
import { bundlePages } from "./bundle-pages.ts";

const BATCH = 8;
const known = readKnownFailures();
const cases = casesOf(FIXTURES);
const read = new Map<string, Document>();
const failures: string[] = [];

beforeAll(async () => {
  const site = await serveSite(await bundlePages());
  const chromium = await launchChromium();
  const { page, errors } = await chromium.page(`${site.origin}/documents`);
  for (let at = 0; at < cases.length; at += BATCH) {
    const names = cases.slice(at, at + BATCH).map(({ name }) => name);
    const urls = names.map((name) => `${site.origin}/${encodeURI(name)}`);
    const texts = await page.evaluate<string[]>(`documents(${JSON.stringify(urls)})`);
    for (const [i, text] of texts.entries()) read.set(names[i]!, JSON.parse(text) as Document);
  }
  failures.push(...errors);
  await chromium.close();
  await site.close();
}, 120_000);

afterAll(() => console.log(`${read.size} of ${cases.length} fixtures read in Chromium`));

describe("a page reads what libhdf5 reads", () => {
  it("without an error outside of any reading", () => expect(failures).toEqual([]));

  it.each(cases)("in $name", (one) => {
    const expected = JSON.parse(readFileSync(one.expected, "utf8")) as Document;
    const differences = compareDocuments(expected, read.get(one.name)!);
    expect(problems({ case: one, differences }, known)).toEqual([]);
  });
});
