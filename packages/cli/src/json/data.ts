import { createHash } from "node:crypto";
import type { Datatype } from "@h5/datatypes";
import { dtypeOf } from "@h5/datatypes";
import { type ElementSource, leavesOf } from "./elements.ts";

/** Elements up to which the data is a plain list. */
const INLINE = 2000;
/** Leaves up to which an element is spelt out at all, and elements are listed. */
const LEAVES = 20000;
const HEAD = 200;
const TAIL = 50;
/** Bytes above which data is not read as a whole, and bytes read at a time below. */
const TOO_LARGE = 268435456;
const SLAB = 16777216;

/** The JSON form of all elements: a list, or for many of them a hash or their first and last. */
export async function jsonData(source: ElementSource): Promise<unknown> {
  const { datatype, count } = source;
  const leaves = leavesOf(datatype);
  if (count * datatype.size > TOO_LARGE) return { ...(await ends(source, leaves)), too_large: true };
  if (leaves > 1 && count * leaves > LEAVES) return await largeElements(source, leaves);
  if (count <= INLINE) return await source.list(0, count);
  if (!isPlainNumber(datatype)) return await ends(source, leaves);
  return { sha256: await hash(source), n: count, head: await source.list(0, 8) };
}

async function largeElements(source: ElementSource, leaves: number): Promise<unknown> {
  if (leaves <= LEAVES) return { ...(await ends(source, leaves)), leaves };
  const { datatype, count } = source;
  return isPlainNumber(innermost(datatype)) ? { n: count, leaves, sha256: await hash(source) } : { n: count, leaves };
}

/** The first and the last elements, fewer the larger they are; none of the last where they have no exact index. */
async function ends(source: ElementSource, leaves: number): Promise<{ n: number; head: unknown[]; tail: unknown[] }> {
  const { count } = source;
  const head = Math.min(count, HEAD, Math.max(1, Math.floor(LEAVES / leaves)));
  const tail = Number.isSafeInteger(count) ? Math.min(count - head, TAIL, head) : 0;
  return { n: count, head: await source.list(0, head), tail: await source.list(count - tail, tail) };
}

/** SHA-256 of the elements packed little-endian at their stored width, read a slab at a time. */
async function hash(source: ElementSource): Promise<string> {
  const digest = createHash("sha256");
  const step = Math.max(1, Math.floor(SLAB / source.datatype.size));
  for (let start = 0; start < source.count; start += step) {
    for (const part of await source.numbers(start, Math.min(step, source.count - start))) digest.update(part);
  }
  return digest.digest("hex");
}

function innermost(type: Datatype): Datatype {
  return type.class === "array" ? innermost(type.base) : type;
}

/** Integers of 1, 2, 4 and 8 bytes and IEEE floats of 4 and 8, whose typed arrays hold their bytes. */
function isPlainNumber(type: Datatype): boolean {
  if (type.class !== "integer" && type.class !== "float") return false;
  const dtype = dtypeOf(type);
  return dtype.endsWith(String(type.size * 8)) && dtype !== "float16";
}
