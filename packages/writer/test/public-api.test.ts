import { expect, it } from "vitest";

it("exports these names and no others", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
    "attachScale",
    "bitshuffle",
    "blosc",
    "createFile",
    "deflate",
    "fletcher32",
    "guessChunkShape",
    "labelDimension",
    "lz4",
    "lzf",
    "makeScale",
    "memorySink",
    "nbit",
    "objectReference",
    "regionReference",
    "scaleOffset",
    "shuffle",
    "storedElements",
    "streamSink",
    "szip",
    "virtualDataset",
    "writableFileSink",
  ]);
});

it("exports these names for Node", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toEqual(["fileHandleSink", "fileSink"]);
});
