export { type CheckOptions, checkFile } from "./check/file.ts";
export type { Finding } from "./check/finding.ts";
export { copyFile } from "./copy/copy-file.ts";
export type { CopyOptions, CopyReport } from "./copy/options.ts";
export { type JsonFile, toJson } from "./json/to-json.ts";
