import { expect, it } from "vitest";

it("exports these names and no others", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
    "baseUrlResolver",
    "candidateNames",
    "fileListResolver",
    "namedSources",
    "openResolved",
  ]);
});

it("exports folderResolver alone from ./node", async () => {
  expect(Object.keys(await import("../src/node.ts"))).toEqual(["folderResolver"]);
});
