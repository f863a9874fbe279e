import { join } from "node:path";
import { matrixFiles } from "./all-cases.ts";
import { writeInto } from "./write-folder.ts";

// Writes the matrix, or the files with PART in their names: main.mjs FOLDER [PART]. Files with very much in them are apart, in FOLDER/large.
const [folder = "matrix", part = ""] = process.argv.slice(2);
for (const file of matrixFiles().filter(({ name }) => name.includes(part)))
  await writeInto(join(folder, file.large ? "large" : "usual"), file);
