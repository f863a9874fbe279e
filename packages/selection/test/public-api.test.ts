import { expect, it } from "vitest";

it("exports just these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "MAX_RANK",
      "UNLIMITED",
      "boxesOf",
      "checkExtent",
      "checkSelection",
      "chunkBoxOf",
      "clipSelection",
      "copyChunk",
      "copyRuns",
      "decodeDataspace",
      "decodeSelection",
      "elementCount",
      "encodeDataspace",
      "encodeSelection",
      "fillChunk",
      "fillRuns",
      "forEachRun",
      "forEachSelectedRun",
      "forEachSpanRun",
      "intersectSelection",
      "isUnlimited",
      "projectChunk",
      "projectSelection",
      "rankOf",
      "resolveSelection",
      "selectedCoordinates",
      "selectionBounds",
      "selectionCount",
      "sizeOfDataspace",
      "sizeOfSelection",
      "slice",
      "spansOf",
    ]
  `);
});
