import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { open } from "@h5/reader";

// A program of its own: the test that starts it is told what became of a file's dataset and how much memory it took.
const file = await open(new Uint8Array(readFileSync(process.argv[2]!)));
const dataset = await file.dataset("x");
const before = process.resourceUsage().maxRSS;
let what = "decoded";
try {
  await dataset.get();
} catch (error) {
  if (!isH5Error(error)) throw error;
  what = "limit" in error ? String(error.limit) : error.code;
}
console.log(JSON.stringify({ what, mebibytes: (process.resourceUsage().maxRSS - before) / 1024 }));
