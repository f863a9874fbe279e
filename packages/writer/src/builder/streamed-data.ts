import type { DataBlock } from "../data/block-stream.ts";

/** Data that is asked for while the file is written: anything to iterate over that is no list of values. */
export type StreamedData = Iterable<DataBlock> | AsyncIterable<DataBlock>;

/** Whether data is to be iterated over: a generator, a stream, an iterator; no list, string or columns. */
export function isStream(data: unknown): data is StreamedData {
  if (typeof data !== "object" || data === null || Array.isArray(data) || ArrayBuffer.isView(data)) return false;
  if (Symbol.asyncIterator in data) return true;
  return Symbol.iterator in data && !("length" in data);
}
