import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const esbuild = join(root, "../../node_modules/.bin/esbuild");

interface Bundle {
  /** Names of the files that something was kept of, `pako` for pako's. */
  readonly files: readonly string[];
  readonly bytes: number;
}

/** Bundles one statement as a browser build would, from the sources. */
function bundle(statement: string, platform = "browser"): Bundle {
  const folder = mkdtempSync(join(tmpdir(), "h5-filters-"));
  try {
    const metafile = join(folder, "meta.json");
    const options = ["--bundle", "--minify", "--format=esm", "--conditions=h5-source", `--platform=${platform}`];
    execFileSync(esbuild, [...options, `--metafile=${metafile}`, `--outfile=${join(folder, "out.js")}`], {
      cwd: root,
      input: statement,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const meta = JSON.parse(readFileSync(metafile, "utf8")) as {
      outputs: Record<string, { bytes: number; inputs: Record<string, { bytesInOutput: number }> }>;
    };
    const [output] = Object.values(meta.outputs);
    const kept = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const files = kept.map(([path]) => (path.includes("/pako/") ? "pako" : basename(path)));
    return { files: files.sort(), bytes: output!.bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("a bundle", () => {
  it("of the default filters holds no encoder and no Node code", () => {
    const { files } = bundle('import { defaultFilters } from "@h5/filters"; console.log(defaultFilters)');
    expect(files).toContain("inflate.ts");
    expect(files).not.toContain("deflate.ts");
    expect(files).not.toContain("inflate.node.ts");
  });

  it("for Node holds no pako", () => {
    const { files } = bundle('import { defaultFilters } from "@h5/filters"; console.log(defaultFilters)', "node");
    expect(files).toContain("inflate.node.ts");
    expect(files).not.toContain("inflate.ts");
    expect(files).not.toContain("pako");
  });

  it("of the deflater holds what its platform has", () => {
    const statement = 'import { deflateEncoder } from "@h5/filters/deflate"; console.log(deflateEncoder)';
    const [browser, node] = [bundle(statement).files, bundle(statement, "node").files];
    expect([browser.includes("pako"), browser.includes("deflate.node.ts")]).toEqual([true, false]);
    expect([node.includes("pako"), node.includes("deflate.node.ts")]).toEqual([false, true]);
  });

  it("of the inflater alone is much smaller than with the deflater", () => {
    const reading = bundle('import { deflateDecoder } from "@h5/filters/inflate"; console.log(deflateDecoder)');
    const both = bundle(
      'import { deflateDecoder } from "@h5/filters/inflate"; import { deflateEncoder } from "@h5/filters/deflate"; console.log(deflateDecoder, deflateEncoder)',
    );
    expect(both.bytes - reading.bytes).toBeGreaterThan(10000);
  });

  it("of one filter holds that filter", () => {
    const { files } = bundle('import { shuffleDecoder } from "@h5/filters/shuffle"; console.log(shuffleDecoder)');
    expect(files.filter((name) => !name.startsWith("<"))).toEqual([
      "errors.ts",
      "filter.ts",
      "shuffle.ts",
      "transpose.ts",
    ]);
  });

  it("of the message and the pipeline holds no filter", () => {
    const { files } = bundle(
      'import { applyDecoders, decodeFilterPipeline } from "@h5/filters"; console.log(applyDecoders, decodeFilterPipeline)',
    );
    expect(files).not.toContain("pako");
    expect(files).not.toContain("szip.ts");
  });

  it("of nothing is nothing", () => {
    expect(bundle('import "@h5/filters"').bytes).toBeLessThan(10);
  });
});
