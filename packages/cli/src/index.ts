export { copyFile } from "./copy/copy-file.ts";
export type { CopyOptions, CopyReport } from "./copy/options.ts";
export { type JsonFile, toJson } from "./json/to-json.ts";
