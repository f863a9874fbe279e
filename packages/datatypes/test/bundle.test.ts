import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

/** Source files that leave bytes in a bundle of one import. */
async function bundled(statement: string): Promise<string[]> {
  const { metafile } = await build({
    stdin: { contents: statement, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    conditions: ["h5-source"],
    metafile: true,
    write: false,
    absWorkingDir: join(import.meta.dirname, "../../.."),
  });
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output!.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
}

describe("a bundle of decodeDatatype alone", () => {
  it("holds no encoder, no values and no predefined types", async () => {
    const files = await bundled(`import { decodeDatatype } from "../src/index.ts"; console.log(decodeDatatype)`);
    expect(files).toContain("packages/datatypes/src/datatype-message.ts");
    expect(
      files.filter((path) => /values\/|byte-writer|predefined|describe|check|src\/version|offset-size/.test(path)),
    ).toEqual([]);
  });
});

describe("a bundle of decodeValues", () => {
  it("holds no encoder", async () => {
    const files = await bundled(`import { decodeValues } from "../src/index.ts"; console.log(decodeValues)`);
    expect(files.filter((path) => /encode|byte-writer|predefined|describe|datatype-message/.test(path))).toEqual([]);
  });
});
