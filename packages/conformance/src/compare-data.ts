import { createHash } from "node:crypto";
import type { Mismatch } from "./compare-type.ts";
import { byLooseName, type Json, looseName, type TypeNode } from "./document.ts";

/** The short form of many elements: how many, a hash of their bytes, the first and the last of them. */
interface Digest {
  readonly n: number;
  readonly leaves?: number;
  readonly sha256?: string;
  readonly head?: readonly Json[];
  readonly tail?: readonly Json[];
  readonly too_large?: boolean;
}

/** The first place where two `data` members differ. A list and a short form are compared by what both say. */
export function compareData(
  expected: Json,
  actual: Json | undefined,
  type: TypeNode | undefined,
): Mismatch | undefined {
  if (isList(expected) && isList(actual)) return compareLists(expected, actual, "");
  if (isDigest(expected) && isList(actual)) return compareDigest(expected, digestOf(actual, expected, type));
  if (isList(expected) && isDigest(actual)) return compareDigest(digestOf(expected, actual, type), actual);
  if (isDigest(expected) && isDigest(actual)) return compareDigest(expected, actual);
  return compareElement(expected, actual, "");
}

function isList(data: Json | undefined): data is readonly Json[] {
  return Array.isArray(data);
}

function isDigest(data: Json | undefined): data is Json & Digest {
  return typeof data === "object" && data !== null && !isList(data) && "n" in data;
}

/** The short form of a list, with as much of a head and tail as `other` has, and a hash if these elements can be hashed. */
function digestOf(list: readonly Json[], other: Digest, type: TypeNode | undefined): Digest {
  const sha256 = other.sha256 === undefined || other.leaves ? undefined : hashElements(list, type);
  const head = list.slice(0, other.head?.length ?? 0);
  const tail = list.slice(list.length - (other.tail?.length ?? 0));
  return { n: list.length, head, tail, ...(sha256 !== undefined && { sha256 }) };
}

function compareDigest(expected: Digest, actual: Digest): Mismatch | undefined {
  if (expected.n !== actual.n) return { at: ".n", expected: expected.n, actual: actual.n };
  const hashed = expected.sha256 !== undefined && actual.sha256 !== undefined;
  if (hashed && expected.sha256 !== actual.sha256) {
    return { at: ".sha256", expected: expected.head ?? expected.sha256, actual: actual.head ?? actual.sha256 };
  }
  const [head, ourHead] = [expected.head ?? [], actual.head ?? []];
  const [tail, ourTail] = [expected.tail ?? [], actual.tail ?? []];
  const heads = Math.min(head.length, ourHead.length);
  const tails = Math.min(tail.length, ourTail.length);
  if (!hashed && heads + tails === 0 && expected.n > 0 && !expected.too_large) {
    return { at: " (nothing to compare)", expected: Object.keys(expected), actual: Object.keys(actual) };
  }
  return (
    compareLists(head.slice(0, heads), ourHead.slice(0, heads), ".head") ??
    compareLists(tail.slice(tail.length - tails), ourTail.slice(ourTail.length - tails), ".tail")
  );
}

function compareLists(expected: readonly Json[], actual: readonly Json[], at: string): Mismatch | undefined {
  if (expected.length !== actual.length)
    return { at: `${at}.length`, expected: expected.length, actual: actual.length };
  for (const [index, element] of expected.entries()) {
    const mismatch = compareElement(element, actual[index], `${at}[${index}]`);
    if (mismatch) return mismatch;
  }
  return undefined;
}

function compareElement(expected: Json, actual: Json | undefined, at: string): Mismatch | undefined {
  if (expected === actual) return undefined;
  if (typeof expected === "string" && typeof actual === "string" && looseName(expected) === looseName(actual))
    return undefined;
  if (isList(expected) && isList(actual)) return compareLists(expected, actual, at);
  if (isRecord(expected) && isRecord(actual)) return compareRecords(expected, actual, at);
  return { at, expected, actual };
}

function isRecord(data: Json | undefined): data is { readonly [key: string]: Json } {
  return typeof data === "object" && data !== null && !isList(data);
}

function compareRecords(
  expected: { readonly [key: string]: Json },
  actual: { readonly [key: string]: Json },
  at: string,
): Mismatch | undefined {
  const reference = referenceKey(expected);
  if (reference !== undefined) {
    // A path that libhdf5 cannot name (another file's, a dangling one) says nothing.
    if (expected[reference] === null) return undefined;
    for (const key of [reference, "blocks", "points", "attr"].filter((name) => Object.hasOwn(expected, name))) {
      if (JSON.stringify(expected[key]) !== JSON.stringify(actual[key])) {
        return { at: `${at}.${key}`, expected: expected[key], actual: actual[key] };
      }
    }
    return undefined;
  }
  const ours = byLooseName(actual);
  for (const [name, value] of Object.entries(expected)) {
    const mismatch = compareElement(value, ours.get(looseName(name)), `${at}.${name}`);
    if (mismatch) return mismatch;
  }
  return undefined;
}

const REFERENCE_KEYS: readonly string[] = ["ref", "regionref", "attrref"];
const REGION_KEYS: readonly string[] = ["blocks", "points", "nblocks", "npoints", "hyperslab", "all", "none"];
const OTHER_KEYS: readonly string[] = ["attr", "std", "dangling"];

/** The key of a reference's path; undefined for a compound, which may have a member of that name. */
function referenceKey(record: { readonly [key: string]: Json }): string | undefined {
  const known = [...REFERENCE_KEYS, ...REGION_KEYS, ...OTHER_KEYS];
  if (!Object.keys(record).every((key) => known.includes(key))) return undefined;
  return REFERENCE_KEYS.find((key) => Object.hasOwn(record, key));
}

/** SHA-256 of the packed little-endian bytes of native numbers; undefined for other types and where a NaN's payload is lost. */
function hashElements(list: readonly Json[], type: TypeNode | undefined): string | undefined {
  const { class: kind, size, signed } = type ?? {};
  const write = kind === "integer" || kind === "float" ? elementWriter(kind, size ?? 0, signed ?? false) : undefined;
  if (!write || !size || list.some((value) => value === "NaN" || typeof value === "object")) return undefined;
  const bytes = Buffer.alloc(list.length * size);
  for (const [index, value] of list.entries()) write(bytes, value as number | string, index * size);
  return createHash("sha256").update(bytes).digest("hex");
}

type ElementWriter = (bytes: Buffer, value: number | string, at: number) => void;

function elementWriter(kind: "integer" | "float", size: number, signed: boolean): ElementWriter | undefined {
  if (kind === "float" && size === 4) return (bytes, value, at) => bytes.writeFloatLE(Number(value), at);
  if (kind === "float" && size === 8) return (bytes, value, at) => bytes.writeDoubleLE(Number(value), at);
  if (kind === "float" || ![1, 2, 4, 8].includes(size)) return undefined;
  if (size < 8) {
    return signed
      ? (bytes, value, at) => bytes.writeIntLE(Number(value), at, size)
      : (bytes, value, at) => bytes.writeUIntLE(Number(value), at, size);
  }
  return (bytes, value, at) => bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)), at);
}
