import { gzipSync } from "node:zlib";
import { bundlePage } from "@h5/testing/bundle";
import { describe, expect, it } from "vitest";

const writer = new URL("..", import.meta.url).pathname;
const module = 'export { createFile, deflate, shuffle } from "./src/index.ts";';

describe("a bundle of createFile, shuffle and deflate", () => {
  it("first loads what checks and encodes data, at most 30,000 bytes", async () => {
    const { code, inputs } = await bundlePage(module, writer, true);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(30000);
    const later = /^src\/write\/|^(btree|heap|reader|resolver)\/|pako|object-header|superblock|\.node\.ts$/;
    expect(inputs.filter((path) => later.test(path))).toEqual([]);
    const unused = /(scales|virtual-\w+|element-choice|encoded-selection|lzf|szip|nbit|scale-offset|fletcher32)\.ts$/;
    expect(inputs.filter((path) => unused.test(path))).toEqual([]);
    expect(code).toMatch(/import\(/);
  });

  it("holds everything where it is one file", async () => {
    const { code, inputs } = await bundlePage(module, writer, false);
    expect(inputs).toContain("src/write/write-file.ts");
    expect(inputs.some((path) => path.includes("pako"))).toBe(true);
    expect(code).not.toMatch(/\bimport\(/);
  });
});
