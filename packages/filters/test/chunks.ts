import { readFileSync } from "node:fs";
import { fixturePath } from "@h5/testing";

/** A dataset written by libhdf5: its pipeline, and of each chunk what is stored and what libhdf5 reads back. */
export interface ChunkCase {
  readonly name: string;
  /** The filter pipeline message. */
  readonly message: Uint8Array;
  /** What h5py tells of the pipeline: it gives no more than 16 parameters of each filter. */
  readonly filters: readonly { readonly id: number; readonly flags: number; readonly params: readonly number[] }[];
  readonly chunks: readonly StoredChunk[];
}

export interface StoredChunk {
  readonly filterMask: number;
  readonly stored: Uint8Array;
  readonly decoded: Uint8Array;
  /** What libhdf5 was given, which is `decoded` but for lossy filters. */
  readonly written: Uint8Array;
}

interface StoredCase {
  name: string;
  filters: { id: number; flags: number; params: number[] }[];
  message: string;
  chunks: { filterMask: number; stored: string; decoded: string; written?: string }[];
}

/** The cases of fixtures/filters/chunks.json whose name begins with `prefix`. */
export function chunkCases(prefix: string = ""): ChunkCase[] {
  const all = JSON.parse(readFileSync(fixturePath("filters/chunks.json"), "utf8")) as StoredCase[];
  return all
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, filters, message, chunks }) => ({
      name,
      message: unhex(message),
      filters,
      chunks: chunks.map(({ filterMask, stored, decoded, written = decoded }) => ({
        filterMask,
        stored: unhex(stored),
        decoded: unhex(decoded),
        written: unhex(written),
      })),
    }));
}

export function unhex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
}
