import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { type Chromium, launchChromium } from "@h5/testing/chromium";
import { type Site, serveSite } from "@h5/testing/site";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 60_000 });

/** Where pictures of the page go, if anywhere. */
const pictures = process.env["H5_SCREENSHOTS"];
let site: Site;
let chromium: Chromium;
let page: Page;
let errors: readonly string[];

/** The page as its build script makes it, from the packages' sources. */
function bundlePage(): Map<string, Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), "h5-viewer-"));
  try {
    const script = join(import.meta.dirname, "../build.mjs");
    execFileSync(process.execPath, [script, "--conditions=h5-source", `--outdir=${folder}`]);
    return new Map(readdirSync(folder).map((name) => [`/${name}`, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

beforeAll(async () => {
  site = await serveSite(bundlePage());
  chromium = await launchChromium();
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true });
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await site?.close();
});

beforeEach(async () => {
  site.holds = () => false;
  ({ page, errors } = await chromium.page(`${site.origin}/index.html`));
});

afterEach(async () => {
  expect(errors).toEqual([]);
  await page.close();
});

async function openUrl(path: string): Promise<void> {
  await page.getByLabel("URL").fill(site.origin + path);
  await page.getByRole("button", { name: "Open" }).click();
}

async function drop(...names: string[]): Promise<void> {
  const files = names.map((name) => ({ name: name.split("/").at(-1)!, bytes: Array.from(fixtureBytes(name)) }));
  const dataTransfer = await page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, bytes } of given) transfer.items.add(new File([new Uint8Array(bytes)], name));
    return transfer;
  }, files);
  await page.dispatchEvent("main", "drop", { dataTransfer });
}

async function choose(path: string): Promise<void> {
  await page.locator(`[data-path="${path}"] > span`).click();
}

function tree(): Promise<string[]> {
  return page.locator("[role=treeitem]:visible > span").allTextContents();
}

/** The cells of a table, row by row. */
function cells(table: string): Promise<string[][]> {
  return page
    .locator(`${table} tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent!)));
}

/** What libhdf5 reads of an object. */
function expected(fixture: string, path: string): { data: unknown[]; attrs: Record<string, { data: unknown[] }> } {
  return JSON.parse(readFileSync(fixturePath(fixture), "utf8")).objects[path];
}

async function picture(name: string): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}.png`) });
}

describe("a file opened by its URL", () => {
  it("shows its tree, and a table of compounds with attributes", async () => {
    await openUrl("/fixtures/viewer/catalogue.h5");
    await expect.poll(tree).toEqual(["/", "by number", "objects"]);
    await expect.poll(() => cells(".attributes table")).toEqual([["epoch", "J2000", "string (utf-8, variable)"]]);
    await choose("/objects");
    await expect.poll(() => cells(".data table")).toHaveLength(50);
    const rows = expected("viewer/catalogue.json", "/objects").data as Record<string, unknown>[];
    const kinds = ["star", "galaxy", "nebula"];
    const textOf = (i: number): string[] => {
      const { id, name, kind, position, magnitude } = rows[i]!;
      return [
        i,
        id,
        name,
        kinds[kind as number],
        `[${(position as number[]).join(", ")}]`,
        (magnitude as number).toFixed(2),
      ].map(String);
    };
    const shown = async (i: number): Promise<string[]> => {
      const row = (await cells(".data table")).find(([index]) => index === String(i)) ?? [];
      return row.map((text, c) => (c === 5 ? Number(text).toFixed(2) : text));
    };
    expect(await shown(7)).toEqual(textOf(7));
    await picture("table");
    await page.getByRole("button", { name: "next rows" }).click();
    await expect.poll(() => shown(57)).toEqual(textOf(57));
  });

  it("shows a large group in batches", async () => {
    await openUrl("/fixtures/viewer/catalogue.h5");
    await choose("/by number");
    await expect.poll(async () => (await tree()).length).toBe(3 + 101);
    await page.getByText("150 more …").click();
    await expect.poll(async () => (await tree()).length).toBe(3 + 201);
    expect((await tree()).slice(-3)).toEqual(["200 → /objects", "50 more …", "objects"]);
  });

  it("is named by the page's address", async () => {
    await page.goto(`${site.origin}/index.html?url=${encodeURIComponent(`${site.origin}/fixtures/viewer/buoy.h5`)}`);
    await expect.poll(tree).toEqual(["/", "depth", "north → /wind", "temperature", "time", "wind"]);
  });
});

describe("values", () => {
  it("of a time series are lines over their scale of time", async () => {
    await openUrl("/fixtures/viewer/buoy.h5");
    await choose("/temperature");
    const label = "sea water temperature (degC) over time (UTC): depth 1 m, depth 5 m, depth 20 m";
    await page.getByRole("img", { name: label }).waitFor();
    await picture("series");
    await page.getByRole("button", { name: "Table" }).click();
    const { data } = expected("viewer/buoy.json", "/temperature") as { data: number[] };
    await expect.poll(() => cells(".data table")).toHaveLength(50);
    const row = (await cells(".data table"))[3]!.map(Number);
    for (const [i, value] of data.slice(9, 12).entries()) expect(row[i + 1]).toBeCloseTo(value, 4);
  });

  it("of more dimensions are images, each at an index of the first one, NaN left out", async () => {
    await openUrl("/fixtures/viewer/image.h5");
    await choose("/frames");
    await page.getByRole("img", { name: "Image of 160 × 240 values, 24 to " }).waitFor();
    const pixel = (x: number, y: number): Promise<number[]> =>
      page
        .locator(".view > canvas")
        .evaluate(
          (canvas, at) => [...(canvas as HTMLCanvasElement).getContext("2d")!.getImageData(at.x, at.y, 1, 1).data],
          { x, y },
        );
    expect(await pixel(35, 12)).toEqual([0, 0, 0, 0]);
    const first = await pixel(70, 60);
    expect(first[3]).toBe(255);
    await picture("image");
    await page.getByLabel("dimension 0: index").fill("1");
    await page.keyboard.press("Tab");
    await expect.poll(() => pixel(70, 60)).not.toEqual(first);
  });
});

describe("values that the attributes call missing", () => {
  it("are left out of images", async () => {
    await openUrl("/fixtures/recipes/netcdf.h5");
    await choose("/t2m");
    await page.getByRole("button", { name: "Image" }).click();
    await page.getByRole("img", { name: "Image of 2 × 3 values, -12 to 3" }).waitFor();
  });

  it("are left out of lines", async () => {
    await openUrl("/fixtures/recipes/netcdf.h5");
    await choose("/t2m");
    await page.getByRole("button", { name: "Plot" }).click();
    await page.getByRole("img", { name: /column 0|lon/ }).waitFor();
    // The cursor at the second of two latitudes.
    const { width } = (await page.locator(".u-over").boundingBox())!;
    await page.locator(".u-over").hover({ position: { x: width - 2, y: 100 } });
    await expect.poll(() => page.locator(".u-legend .u-value").allTextContents()).toEqual(["60.25", "", "0", "3"]);
    await picture("missing");
  });
});

describe("a file that is dropped", () => {
  it("is read without a request, with those it refers to", async () => {
    site.asked.length = 0;
    await drop("external/chain-a.h5", "external/chain-b.h5");
    await choose("/to-b");
    await choose("/to-b/data");
    const { data } = JSON.parse(readFileSync(fixturePath("external/expected.json"), "utf8"))["chain-a.h5"][
      "/to-b/data"
    ];
    await expect.poll(() => cells(".data table")).toEqual((data as number[]).map((value, i) => [`${i}`, `${value}`]));
    // A link to a file that was not dropped is shown as that, beside the others.
    expect((await tree()).find((text) => text.startsWith("nowhere"))).toMatch(/→ missing\.h5:\/g.*NOT_FOUND/);
    expect(site.asked).toEqual([]);
  });
});

describe("objects of every kind", () => {
  it.each([
    "completeness/values.h5",
    "completeness/odd-types.h5",
    "completeness/rank-32.h5",
    "datatypes/structured.h5",
  ])("of %s are shown", async (name) => {
    await drop(name);
    await expect.poll(async () => (await tree()).length).toBeGreaterThan(1);
    const paths = await page
      .locator("[role=treeitem]")
      .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset["path"]!));
    for (const path of paths.slice(1)) {
      await choose(path);
      await expect.poll(() => page.locator("h2").textContent()).toContain(path);
      await page.locator("progress").waitFor({ state: "hidden" });
      expect([path, await page.locator("#error").textContent()]).toEqual([path, ""]);
      expect([path, await page.locator("#object .error").count()]).toEqual([path, 0]);
    }
  });

  it("that are damaged say so and leave the others", async () => {
    site.files.set("/cut.h5", fixtureBytes("viewer/buoy.h5").subarray(0, 10_610));
    await openUrl("/cut.h5");
    await expect.poll(async () => (await tree()).find((text) => text.startsWith("time"))).toMatch(/UNEXPECTED_EOF/);
    await choose("/temperature");
    // The scale of its dimension is one of them.
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/^UNEXPECTED_EOF/);
    await page.getByRole("button", { name: "Table" }).click();
    await expect.poll(() => cells(".data table")).toHaveLength(50);
  });
});

describe("the keyboard", () => {
  it("walks the tree, opens and chooses", async () => {
    await drop("reader/weather.h5");
    await expect.poll(tree).toEqual(["/", "latest → /temperature", "stations", "temperature", "time", "wind"]);
    await page.locator("[data-path='/']").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
    await expect.poll(tree).toContain("position");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => cells(".data table")).toHaveLength(4);
    const names = expected("reader/weather.json", "/stations/name").data;
    expect((await cells(".data table")).map((row) => row[1])).toEqual(names);
    await page.locator("[aria-selected=true]").focus();
    for (const key of ["ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
    await expect.poll(tree).not.toContain("position");
  });
});

describe("what goes wrong or takes long", () => {
  it("is shown as the error it is, with its code", async () => {
    await openUrl("/fixtures/README.md");
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/^INVALID_FIELD .*superblock/);
    await openUrl("/none.h5");
    await expect.poll(() => page.getByRole("alert").textContent()).toMatch(/^NOT_FOUND no file .*none\.h5/);
  });

  it("is cancelled by a button or Escape, and leaves its requests", async () => {
    site.files.set("/slow.h5", fixtureBytes("viewer/buoy.h5"));
    site.holds = () => true;
    for (const cancel of [
      () => page.getByRole("button", { name: "Cancel" }).click(),
      () => page.keyboard.press("Escape"),
    ]) {
      site.asked.length = 0;
      await openUrl("/slow.h5");
      await expect.poll(() => site.asked.length).toBe(1);
      await cancel();
      await site.asked[0]!.gone;
      await expect.poll(() => page.getByRole("status").textContent()).toContain("Cancelled: Opening slow.h5");
      expect(await page.getByRole("alert").isVisible()).toBe(false);
    }
  });
});
