import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";
import { describe, expect, it } from "vitest";
import { filesUnder, ROOT, text } from "./repository.ts";

interface Bundle {
  readonly code: string;
  readonly kilobytes: number;
  /** The packages and files that gave code to it, below packages/. */
  readonly inputs: readonly string[];
}

/** Bundles a program for a browser from the packages' sources; names are kept, so that they can be looked for. */
async function bundle(program: string, options: BuildOptions = {}): Promise<Bundle> {
  const { outputFiles = [], metafile } = await build({
    stdin: { contents: program, loader: "ts", resolveDir: join(ROOT, "packages/cli") },
    bundle: true,
    write: false,
    metafile: true,
    minifySyntax: true,
    platform: "browser",
    format: "esm",
    conditions: ["h5-source"],
    absWorkingDir: ROOT,
    logLevel: "silent",
    ...options,
  });
  const used = Object.values(metafile!.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const inputs = used
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path.replace(/^packages\//, ""));
  const kilobytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length / 1000;
  return { code: outputFiles[0]!.text, kilobytes, inputs };
}

/** Leaves to later what is loaded where it is first needed. */
const firstLoad: Plugin = {
  name: "first load",
  setup({ onResolve }) {
    onResolve({ filter: /^/ }, ({ path, kind }) => (kind === "dynamic-import" ? { path, external: true } : undefined));
  },
};

const encoders = /\bfunction\*? (encode\w*|sizeOf\w*)/g;

describe("a bundle of one function", () => {
  it("decodeDatatype carries no reader, no filters, no encoder", async () => {
    const { code, inputs } = await bundle('export { decodeDatatype } from "@h5/datatypes";');
    expect(inputs.filter((path) => !/^(framing|datatypes)\/src\//.test(path) && path !== "<stdin>")).toEqual([]);
    expect(code.match(encoders) ?? []).toEqual([]);
  });

  it("locateSuperblock carries framing alone", async () => {
    const { inputs } = await bundle('export { locateSuperblock } from "@h5/framing";');
    expect(inputs.filter((path) => !path.startsWith("framing/src/") && path !== "<stdin>")).toEqual([]);
    expect(inputs.filter((path) => path.startsWith("framing/src/messages/") || path.includes("/source/"))).toEqual([]);
  });

  it("open of @h5/reader/core carries no filter", async () => {
    const { inputs } = await bundle('export { open } from "@h5/reader/core";');
    expect(inputs.filter((path) => /pako|filters\/src\/(inflate|deflate|lzf|shuffle|fletcher32)/.test(path))).toEqual(
      [],
    );
  });

  it("open of @h5/reader/core loads first what opens and lists, and no more", async () => {
    const { code, inputs } = await bundle('export { open } from "@h5/reader/core";', { plugins: [firstLoad] });
    const later = [
      /^reader\/src\/(virtual|driver|external-raw|dense\.|reading|storage|fetch|values|selector|tiles|part|stored)/,
      /^datatypes\/src\/values\//,
      /^selection\/src\/(?!dataspace)/,
      /^filters\/src\/(?!pipeline-message|filter-name)/,
      /^btree\/src\/(?!v1-(group|node))/,
      /^heap\/src\/(?!local-heap)/,
      /^framing\/src\/(cache-image|source\/overlay)/,
    ];
    expect(inputs.filter((path) => later.some((part) => part.test(path)))).toEqual([]);
    expect(code).toMatch(/import\(".\/reading.ts"\)/);
  });

  it("open of @h5/reader/core in one file needs no other", async () => {
    const { code } = await bundle('export { open } from "@h5/reader/core";');
    expect(code).not.toMatch(/\bimport\s*\(/);
  });

  it("open of @h5/reader carries no compressor and nothing of Node", async () => {
    const { code, inputs } = await bundle('export { open } from "@h5/reader";');
    expect(inputs.filter((path) => /deflate\.ts$|\.node\.ts$/.test(path) && !path.endsWith("/inflate.ts"))).toEqual([]);
    expect(code).not.toMatch(/from "node:/);
  });

  it("createFile of @h5/writer carries no reader, no walk over a file, no decoder of chunks and nothing of Node", async () => {
    const { code, inputs } = await bundle('export { createFile, deflate, shuffle } from "@h5/writer";');
    const reading = /^reader\/|inflate|-(walk|lookup)\.ts$|\/run\.ts$|\/source\/|\.node\.ts$|\/node\.ts$/;
    expect(inputs.filter((path) => reading.test(path))).toEqual([]);
    expect(inputs.filter((path) => /filters\/src\/(lzf|szip|nbit|scale-offset|fletcher32)/.test(path))).toEqual([]);
    expect(code).not.toMatch(/\bfunction\*? decode(Chunk|ObjectHeader|Layout|Datatype|Values|FractalHeap)\w*/);
    expect(code).not.toMatch(/from "node:/);
  });

  it.each(["framing", "datatypes", "selection", "btree", "heap", "filters", "reader", "writer", "resolver"])(
    "importing @h5/%s does no work",
    async (name) => {
      const sources = filesUnder(`packages/${name}/src`, ".ts");
      // What is loaded on demand too.
      const later = sources.flatMap((path) =>
        [...text(path).matchAll(/(?<!typeof )import\("(\.[^"]+)"\)/g)].map(([, file]) => join(dirname(path), file!)),
      );
      const parts = [`packages/${name}/src/index.ts`, ...later].map((path) => `import "./${path}";`);
      const { outputFiles } = await build({
        stdin: { contents: parts.join("\n"), loader: "ts", resolveDir: ROOT },
        bundle: true,
        write: false,
        platform: "browser",
        format: "esm",
        conditions: ["h5-source"],
        minifySyntax: true,
        plugins: [firstLoad, ownSideEffects],
        logLevel: "silent",
      });
      // Sums of constants stay because no bundler proves them to be numbers; they are no work.
      const constants = /^var (\w+ = (\d+|\w+ [-+*] \d+)(, )?)+;$/gm;
      expect(
        outputFiles[0]!.text
          .replaceAll(/^\/\/.*$/gm, "")
          .replaceAll(constants, "")
          .trim(),
      ).toBe("");
    },
  );
});

describe("README's sizes", () => {
  const row = /^\| `import (\{ [\w, ]+ \} from "[@\w/.-]+")` \| ([\d.]+) \| ([\d.]+) \|$/gm;
  const sizes = [...text("README.md").matchAll(row)].map(([, member, first, whole]) => {
    return { member: member!.replace('"./', '"../../'), first: Number(first), whole: Number(whole) };
  });

  it("are there", () => {
    expect(sizes.length).toBeGreaterThan(0);
  });

  it.each(sizes)("for $member are right to 5 %", async ({ member, first, whole }) => {
    for (const [size, plugins] of [
      [first, [firstLoad]],
      [whole, []],
    ] as const) {
      const { kilobytes } = await bundle(`export ${member};`, { minify: true, plugins: [...plugins] });
      expect(Math.abs(kilobytes - size) / size, `${kilobytes} kB`).toBeLessThan(0.05);
    }
  });
});

/** Believes no `sideEffects: false` of our own packages, so that what would run at import stays to be seen; leaves others out. */
const ownSideEffects: Plugin = {
  name: "own side effects",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /.*/ }, async ({ path, resolveDir, kind, importer, pluginData }) => {
      if (pluginData === "resolved") return undefined;
      const found = await resolve(path, { resolveDir, kind, importer, pluginData: "resolved" });
      return found.path.includes("node_modules")
        ? { path, external: true, sideEffects: false }
        : { path: found.path, sideEffects: true };
    });
  },
};
