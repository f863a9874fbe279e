import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../../fixtures");

/** Path of a committed fixture, named `<feature>/<quirk>.h5`. */
export function fixturePath(name: string): string {
  return join(root, name);
}

/** A fixture's bytes, in a buffer of their own at offset 0. */
export function fixtureBytes(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(fixturePath(name)));
}
