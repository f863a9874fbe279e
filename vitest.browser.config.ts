import { join } from "node:path";
import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

// Apart from the other tests, since it needs Chromium: `pnpm test:browser`.
export default defineConfig(
  mergeConfig(shared, {
    test: { root: join(import.meta.dirname, "packages/conformance"), include: ["browser/**/*.test.ts"] },
  }),
);
