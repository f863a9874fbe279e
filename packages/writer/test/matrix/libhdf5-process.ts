import { readFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { readObjects } from "./libhdf5-reading.ts";

// A program of its own, since libhdf5 complains on the process' standard error and may take the process with it. Reads the
// files it is given, of each what `<name>.declared.json` lists, and answers with a line of JSON for each; a line on standard
// error says which file what follows is of.
for (const file of process.argv.slice(2)) {
  writeSync(2, `=== ${file}\n`);
  const paths = Object.keys(JSON.parse(readFileSync(file.replace(/h5$/, "declared.json"), "utf8")));
  // Where files of raw data are looked for.
  process.chdir(dirname(file));
  const answer = await readObjects(file, paths).then(
    (objects) => ({ objects }),
    (error) => ({ error: String(error) }),
  );
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify({ file, ...answer })}\n`, resolve));
}
