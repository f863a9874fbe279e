import { expect, it } from "vitest";

it("exports these names and no others", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
    "Attribute",
    "Attributes",
    "Dataset",
    "Group",
    "H5File",
    "NamedDatatype",
    "dimensionScales",
    "open",
    "sourceOf",
  ]);
});

it("exports open alone from ./core", async () => {
  expect(Object.keys(await import("../src/core.ts"))).toEqual(["open"]);
});

it("exports what a copy or a check needs from ./stored", async () => {
  expect(Object.keys(await import("../src/stored.ts")).sort()).toEqual([
    "externalSlots",
    "fillOf",
    "getStored",
    "getStoredAttribute",
    "getStoredFill",
    "memberSpaceOf",
    "rawChunks",
  ]);
});
