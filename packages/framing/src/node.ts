export { type FileSource, fileSource } from "./source/file.ts";
export { fileSourceSync, type SyncFileSource } from "./source/file-sync.ts";
