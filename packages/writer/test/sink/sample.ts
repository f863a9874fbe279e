import { slice } from "@h5/selection";
import {
  type CreateOptions,
  createFile,
  type DatasetOptions,
  deflate,
  type FileBuilder,
  objectReference,
  regionReference,
  shuffle,
} from "../../src/index.ts";

/** Numbers that do not compress to nothing. */
export function numbers(count: number, seed: number = 1): Float64Array {
  const values = new Float64Array(count);
  let state = seed;
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    values[i] = state / 65536;
  }
  return values;
}

/** A file with something of every kind, all of it in memory. */
export function sampleFile(options: CreateOptions = {}): FileBuilder {
  const file = createFile(options);
  file.attribute("title", "a file of every kind");
  const group = file.group("a/b", { comment: "a comment" });
  for (let i = 0; i < 40; i++) group.group(`child ${i}`).attribute("n", i);
  file.softLink("soft", "/a/b");
  file.hardLink("hard", "/a/b");
  const names = ["one", "two", "", "a longer name than the others", "drei", "vier"];
  file.dataset("names", names);
  file.dataset("names in chunks", names, { chunks: [4], filters: [deflate()] });
  file.dataset("plain", numbers(5000), { attrs: { unit: "m", range: [0, 1] } });
  file.dataset("compact", new Int16Array([1, 2, 3]), { layout: "compact" });
  file.dataset("filtered", numbers(6000), { shape: [60, 100], chunks: [7, 30], filters: [shuffle(), deflate(1)] });
  file.dataset("growing", numbers(400), { shape: [20, 20], maxShape: [Infinity, 20], chunks: [3, 7], fillValue: -1 });
  file.dataset("grows twice", numbers(40), { shape: [8, 5], maxShape: [Infinity, Infinity], chunks: [3, 3] });
  file.dataset("reserved", numbers(90), {
    shape: [9, 10],
    maxShape: [20, 30],
    chunks: [4, 4],
    allocationTime: "early",
  });
  file.dataset("last", [objectReference("/plain"), objectReference("/a/b")]);
  file.dataset("regions", [regionReference("/filtered", [slice(0, 2), null])]);
  return file;
}

/** Options of {@link streamedFile}. */
export interface StreamedOptions {
  readonly blocks: Iterable<Float64Array> | AsyncIterable<Float64Array>;
  readonly rows: number;
  readonly options?: DatasetOptions;
}

/** A file whose one dataset, of rows of 1,000 numbers, comes as blocks. */
export function streamedFile({ blocks, rows, options }: StreamedOptions): FileBuilder {
  const file = createFile();
  file.dataset("streamed", blocks, { dtype: "float64", shape: [rows, 1000], ...options });
  return file;
}
