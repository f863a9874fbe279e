import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const root: string = import.meta.dirname;
const packages = readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "test")));
const report: string | undefined = process.env["H5_TEST_REPORT"];

export const shared: ViteUserConfig = {
  root,
  // Tests import the packages' sources, never a build.
  ssr: { resolve: { conditions: ["h5-source", "node", "module", "import", "default"] } },
  test: {
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
};

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    projects: [
      ...packages.map((name) => ({
        extends: true as const,
        test: { name, root: join(root, "packages", name), include: ["test/**/*.test.ts"] },
      })),
      { extends: true as const, test: { name: "workspace", root, include: ["test/**/*.test.ts"] } },
    ],
    coverage: { include: ["packages/*/src/**"] },
  },
});
