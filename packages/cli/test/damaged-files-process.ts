import { readFileSync } from "node:fs";
import { flips, truncations } from "@h5/testing";
import { readDamaged } from "./damaged-files.ts";

// A program of its own: the test that starts it, with paths of files, gives it little memory and is told how much it took.
for (const path of process.argv.slice(2)) {
  const bytes = readFileSync(path);
  for (const mutant of truncations(bytes, 7)) await readDamaged(mutant.bytes);
  for (const mutant of flips(bytes)) await readDamaged(mutant.bytes);
}
console.log(process.resourceUsage().maxRSS);
