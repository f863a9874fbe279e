import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** Bytes of a page's bundle of these names, minified and compressed. */
async function bundledSize(names: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${names} } from "../src/index.ts"`,
      resolveDir: import.meta.dirname,
      loader: "ts",
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    target: "es2022",
    conditions: ["h5-source"],
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
}

describe("bundle size", () => {
  it("of decodeSelection is at most 2,048 bytes", async () => {
    expect(await bundledSize("decodeSelection")).toBeLessThanOrEqual(2048);
  });

  it("of decodeSelection and encodeSelection is at most 3,072 bytes", async () => {
    expect(await bundledSize("decodeSelection, encodeSelection")).toBeLessThanOrEqual(3072);
  });
});
