import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

/** A browser of a test file's own. */
export interface Chromium {
  /** Opens a page whose errors fail the test that asks for `errors`. */
  page(url: string): Promise<{ readonly page: Page; readonly errors: readonly string[] }>;
  close(): Promise<void>;
}

/** Starts headless Chromium, the one that the environment names or Debian's. */
export async function launchChromium(): Promise<Chromium> {
  const profile = mkdtempSync(join(tmpdir(), "h5-chromium-"));
  const browser: Browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking"]
      .concat("disable-component-update", "disable-sync")
      .map((flag) => `--${flag}`),
    env: { ...process.env, HOME: profile } as Record<string, string>,
  });
  return {
    async page(url) {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(url);
      return { page, errors };
    },
    async close() {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
