import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import type { Setting } from "./measure.ts";

// What the writing jobs write, the same for every library.

export const GROUPS = 10_000;
export const APPENDS = 1000;

/** The 128 MiB of case a, as they lie in its file. */
export function normals({ path, manifest }: Setting): Float64Array {
  return filled(new Float64Array(2 ** 24), path("a_contiguous_f64.h5"), manifest.a_offset);
}

/** The field of case b. */
export function field({ path }: Setting): Float32Array {
  return filled(new Float32Array(2 ** 24), path("b_f32.raw"), 0);
}

/** Read in place: what a copy leaves behind would count as memory in use before the job. */
function filled<T extends Float32Array | Float64Array>(target: T, file: string, from: number): T {
  const descriptor = openSync(file, "r");
  const read = readSync(descriptor, target, 0, target.byteLength, from);
  closeSync(descriptor);
  if (read !== target.byteLength) throw new Error(`${file}: ${read} of ${target.byteLength} bytes`);
  return target;
}

/** The strings of case e. */
export function strings({ path }: Setting): string[] {
  return readFileSync(path("e_strings.txt"), "utf8").split("\n");
}

/** The values of group `i`'s dataset. */
export function groupValues(i: number): Float64Array {
  return Float64Array.from({ length: 8 }, (_, k) => i + k);
}

export function groupName(i: number): string {
  return `g${String(i).padStart(5, "0")}`;
}

/** The blocks to be appended. */
export function blocks(): Float64Array[] {
  return Array.from({ length: APPENDS }, (_, k) => Float64Array.from({ length: 1000 }, (_, i) => k * 1000 + i / 8));
}
