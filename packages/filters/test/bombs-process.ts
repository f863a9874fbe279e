import { readFileSync } from "node:fs";
import { defaultLimits, isH5Error } from "@h5/framing";
import { applyDecoders, defaultFilters, type PipelineFilter } from "../src/index.ts";

// A program of its own, for one bomb each: the test that starts it is told what became of it and how much memory it took.
const [path, filters, expectedBytes] = process.argv.slice(2) as [string, string, string];
const bytes = new Uint8Array(readFileSync(path));
const before = process.resourceUsage().maxRSS;
const end = (what: string): void => {
  console.log(JSON.stringify({ what, mebibytes: (process.resourceUsage().maxRSS - before) / 1024 }));
};
try {
  await applyDecoders(bytes, JSON.parse(filters) as PipelineFilter[], 0, defaultFilters, {
    expectedBytes: Number(expectedBytes),
    maxBytes: defaultLimits.chunkBytes,
    maxExcess: defaultLimits.chunkExcess,
  });
  end("decoded");
} catch (error) {
  if (!isH5Error(error)) throw error;
  end("limit" in error ? String(error.limit) : error.code);
}
