import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type ViteUserConfig } from "vitest/config";

const root: string = import.meta.dirname;
const packages = ["packages", "examples"].flatMap((folder) =>
  readdirSync(join(root, folder))
    .map((name) => ({ name, root: join(root, folder, name) }))
    .filter((project) => existsSync(join(project.root, "test"))),
);
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
      ...packages.map((project) => ({
        extends: true as const,
        test: { ...project, include: ["test/**/*.test.ts"] },
      })),
      { extends: true as const, test: { name: "workspace", root, include: ["test/**/*.test.ts"] } },
    ],
    coverage: { include: ["packages/*/src/**"] },
  },
});
