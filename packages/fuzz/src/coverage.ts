import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { mergeProcessCovs, type ProcessCov } from "@bcoe/v8-coverage";
import { parse } from "acorn";
import { convert } from "ast-v8-to-istanbul";
import coverageMaps from "istanbul-lib-coverage";

/** Packages whose files decode what a file holds. */
const PACKAGES = ["framing", "datatypes", "selection", "btree", "heap", "filters", "reader"];
/** Parts of paths of files that serve writing, or sources of bytes that a fuzzer has no use for. */
const LEFT_OUT = /encode|-build\.ts$|\/source\/|\/version\.ts$|\/predefined\.ts$|\/describe\.ts$|-writer\.ts$/;

/** Lines of a file that hold code, and those of them that were executed. */
export interface FileCoverage {
  /** Path below packages/. */
  readonly path: string;
  readonly lines: number;
  readonly covered: number;
  /** Numbers of those that were not executed. */
  readonly missed: readonly number[];
}

/**
 * Line coverage of the files that decode, from what V8 left of the worker's runs in a folder. Functions that the worker's
 * bundle has no use for, such as encoders beside decoders, are not in it and do not count.
 */
export async function decodeCoverage(folder: string, worker: string, packages: string): Promise<FileCoverage[]> {
  const url = pathToFileURL(worker).href;
  const runs = readdirSync(folder).map((name) => {
    const { result } = JSON.parse(readFileSync(join(folder, name), "utf8")) as ProcessCov;
    return { result: result.filter((script) => script.url === url) };
  });
  const [merged] = mergeProcessCovs(runs).result;
  if (merged === undefined) return [];
  const code = readFileSync(worker, "utf8");
  const sourceMap = JSON.parse(readFileSync(`${worker}.map`, "utf8"));
  const ast = parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  const map = coverageMaps.createCoverageMap((await convert({ ast, code, sourceMap, coverage: merged })) as never);
  return map
    .files()
    .map((file) => ({ path: relative(packages, resolve(file.startsWith("file:") ? fileURLToPath(file) : file)), file }))
    .filter(({ path }) => PACKAGES.some((name) => path.startsWith(`${name}/src/`)) && !LEFT_OUT.test(path))
    .map(({ path, file }) => {
      const lines = Object.entries(map.fileCoverageFor(file).getLineCoverage());
      const missed = lines.filter(([, times]) => times === 0).map(([line]) => Number(line));
      return { path, lines: lines.length, covered: lines.length - missed.length, missed };
    })
    .filter(({ lines }) => lines > 0)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
