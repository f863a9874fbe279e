import { byLooseName, type Json, looseName, type TypeNode } from "./document.ts";

/** Where two trees part, as a path below their roots, and what stands there in each. */
export interface Mismatch {
  readonly at: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

interface Member {
  readonly name: string;
  readonly offset: number;
  readonly type: TypeNode;
}

/** The first place where `actual` is not the datatype that is expected. Members only `actual` has are information. */
export function compareType(
  expected: TypeNode | undefined,
  actual: TypeNode | undefined,
  at: string = "",
): Mismatch | undefined {
  if (!expected || !actual) return { at, expected, actual };
  for (const [key, value] of Object.entries(expected)) {
    if (key === "order" && (expected.size === 1 || ["?", "none", "NONE"].includes(value as string))) continue;
    const mismatch = compareProperty(key, expected, actual, `${at}.${key}`);
    if (mismatch) return mismatch;
  }
  return undefined;
}

function compareProperty(key: string, expected: TypeNode, actual: TypeNode, at: string): Mismatch | undefined {
  const [theirs, ours] = [expected[key], actual[key]];
  if (key === "base") return compareType(theirs as TypeNode, ours as TypeNode | undefined, at);
  if (key === "members" && expected.class === "compound") {
    return compareMembers(theirs as never, (ours ?? []) as never, at);
  }
  if (key === "members" && expected.class === "enum") return compareNames(theirs as never, (ours ?? {}) as never, at);
  return JSON.stringify(theirs) === JSON.stringify(ours) ? undefined : { at, expected: theirs, actual: ours };
}

function compareMembers(expected: readonly Member[], actual: readonly Member[], at: string): Mismatch | undefined {
  if (expected.length !== actual.length)
    return { at: `${at}.length`, expected: expected.length, actual: actual.length };
  for (const [index, theirs] of expected.entries()) {
    const ours = actual[index]!;
    if (looseName(theirs.name) !== looseName(ours.name) || theirs.offset !== ours.offset) {
      return { at: `${at}[${index}]`, expected: [theirs.name, theirs.offset], actual: [ours.name, ours.offset] };
    }
    const mismatch = compareType(theirs.type, ours.type, `${at}.${theirs.name}`);
    if (mismatch) return mismatch;
  }
  return undefined;
}

function compareNames(expected: Record<string, Json>, actual: Record<string, Json>, at: string): Mismatch | undefined {
  const ours = byLooseName(actual);
  for (const [name, value] of Object.entries(expected)) {
    const mine = ours.get(looseName(name));
    if (String(value) !== String(mine)) return { at: `${at}.${name}`, expected: value, actual: mine };
  }
  return undefined;
}
