import { gunzipSync } from "node:zlib";
import { fixtureBytes } from "@h5/testing";
import { type H5File, type OpenOptions, open } from "../src/index.ts";

/** Bytes of a fixture of `fixtures/reader`. */
export function bytesOf(name: string): Uint8Array<ArrayBuffer> {
  return fixtureBytes(`reader/${name}.h5`);
}

export function openFixture(name: string, options?: OpenOptions): Promise<H5File> {
  return open(bytesOf(name), options);
}

/** Two datasets of 1024 × 1024 bytes, value = flat index modulo 251: /chunked in chunks of 256 × 512, and /contiguous. */
export function farApart(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gunzipSync(fixtureBytes("reader/far-apart.h5.gz")));
}

/** What /chunked and /contiguous hold at a flat index. */
export function farApartValue(row: number, column: number): number {
  return (row * 1024 + column) % 251;
}
