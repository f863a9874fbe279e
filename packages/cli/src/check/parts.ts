import { type ByteSource, readRange, type SliceOptions } from "@h5/framing";
import { type Check, fault, warn } from "./check.ts";

/** A file that holds a part of the address space, or all of it. */
export interface Part {
  /** Of a member of several. */
  readonly name: string | undefined;
  /** Address of its first byte. */
  readonly start: number;
  /** Where it ends by what the file says. */
  readonly end: number;
  /** Where it does end, as far as that is known. */
  readonly bytes: number | undefined;
  /** How it ends: before, at or behind `end`; or it is not there. */
  readonly ends: "before" | "at" | "behind" | "missing";
}

/** Bytes `[start, end)` that are there, and what ends with them. */
export interface Region {
  readonly start: number;
  readonly end: number;
  readonly owner: string;
}

/**
 * Looks where a file ends.
 *
 * @param origin address of the source's first byte
 */
export async function partIn(
  source: ByteSource,
  { name, start, end }: Pick<Part, "name" | "start" | "end">,
  origin: number,
  options: SliceOptions,
): Promise<Part> {
  const last = Math.min(Math.max(0, end - origin - 1), Number.MAX_SAFE_INTEGER - 2);
  const { length } = await readRange(source, { start: last, end: last + 2 }, options);
  const size = source.byteLength;
  const bytes = size !== undefined ? origin + size : length === 1 ? end : undefined;
  const beyond = bytes === undefined ? length - Math.min(1, end - origin) : bytes - end;
  return { name, start, end, bytes, ends: beyond < 0 ? "before" : beyond === 0 ? "at" : "behind" };
}

/** Reports a file that does not end where it should. */
export function checkEnd(check: Check, part: Part): void {
  const { name, start, ends } = part;
  const message = endMessage(part);
  if (message === undefined) return;
  const report = ends === "missing" ? fault : warn;
  if (name === undefined) report(check, { structure: "superblock", address: 0, message });
  else report(check, { structure: "driver member", address: start, message: `${JSON.stringify(name)}: ${message}` });
}

function endMessage({ start, end, bytes, ends }: Part): string | undefined {
  const size = end - start;
  switch (ends) {
    case "missing":
      return `the file is missing, which has ${size} bytes`;
    case "before":
      return `expected a file of ${size} bytes${bytes === undefined ? "" : `, got ${bytes - start}`}`;
    case "behind":
      return `the file ends at ${size}, and ${bytes === undefined ? "more" : `${bytes - end} more`} bytes follow`;
    default:
      return undefined;
  }
}

/** The bytes that structures may be in, of parts in the order of their addresses. */
export function regionsOf(parts: readonly Part[], open: boolean): Region[] {
  const regions: Region[] = [];
  for (const { name, start, end, bytes, ends } of parts) {
    // The end that is stored grows once a file is closed.
    const stop = open || ends === "before" || ends === "missing" ? (bytes ?? end) : end;
    const before = regions.at(-1);
    const owner = name === undefined ? "file" : `member ${JSON.stringify(name)}`;
    if (before?.end === start) regions[regions.length - 1] = { start: before.start, end: stop, owner };
    else regions.push({ start, end: stop, owner });
  }
  return regions;
}
