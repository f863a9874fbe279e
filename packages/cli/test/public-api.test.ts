import { expect, it } from "vitest";

it("exports these names and no others", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toEqual(["checkFile", "copyFile", "toJson"]);
});
