import { defineConfig, mergeConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

// Apart from the other tests, since it needs Chromium: `pnpm test:browser`.
export default defineConfig(
  mergeConfig(shared, {
    test: { include: ["packages/conformance/browser/**/*.test.ts", "examples/viewer/browser/**/*.test.ts"] },
  }),
);
