import { join } from "node:path";
import { matrixFiles } from "./all-cases.ts";
import { writeInto } from "./write-folder.ts";

// Writes the whole matrix: main.mjs FOLDER. Files with very much in them are apart, in FOLDER/large.
const [folder = "matrix"] = process.argv.slice(2);
for (const file of matrixFiles()) await writeInto(join(folder, file.large ? "large" : "usual"), file);
