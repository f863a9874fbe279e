import { compareData } from "./compare-data.ts";
import { compareType } from "./compare-type.ts";
import { type Difference, type Differences, differences, typedError } from "./difference.ts";
import {
  byLooseName,
  type Document,
  type Json,
  type LinkNode,
  looseName,
  type ObjectNode,
  type ValueNode,
} from "./document.ts";

/**
 * Compares what libhdf5 reads of a file with what we read. Where libhdf5 refuses the file, or an object of it, ours may
 * read it or refuse it with a typed error. Not compared: the order of keys, the sign of zero, the byte order of single
 * bytes, members that are information only, null reference paths.
 */
export function compareDocuments(expected: Document, actual: Document): Difference[] {
  const found = differences();
  const refused = expected.crash || expected.open_error !== undefined || expected.root_error !== undefined;
  if (actual.error !== undefined) {
    const typed = typedError(actual.error) !== undefined;
    if (!refused || !typed) found.add("", typed ? "does not open" : "untyped error", "opens", undefined, actual.error);
  } else if (!refused) {
    compareFiles(expected, actual, found);
  }
  return found.list;
}

function compareFiles(expected: Document, actual: Document, found: Differences): void {
  for (const key of ["userblock", "superblock"] as const) {
    if (key in expected && expected[key] !== actual[key]) found.add("", key, expected[key], actual[key]);
  }
  const ours = byLooseName(actual.objects);
  const theirs = byLooseName(expected.objects);
  for (const [path, object] of Object.entries(expected.objects ?? {})) {
    const mine = ours.get(looseName(path));
    if (mine) compareObject(path, object, mine, found);
    else if (object.kind !== "unknown" && object.error === undefined) {
      found.add(path, "object missing", object.kind, undefined, errorAbove(path, ours));
    }
  }
  if (expected.truncated || actual.truncated) return;
  for (const [path, object] of Object.entries(actual.objects ?? {})) {
    if (theirs.has(looseName(path)) || errorAbove(path, theirs) !== undefined) continue;
    found.add(path, "object that libhdf5 does not list", undefined, object.kind);
  }
}

/** The error that hides an object: that of the nearest group above it that has one. */
function errorAbove(path: string, objects: ReadonlyMap<string, ObjectNode>): Json | undefined {
  for (let at = looseName(path); at !== "/"; ) {
    at = at.slice(0, at.lastIndexOf("/")) || "/";
    const group = objects.get(at);
    const error = group?.links_error ?? group?.error;
    if (error !== undefined) return error;
  }
  return undefined;
}

function compareObject(path: string, expected: ObjectNode, actual: ObjectNode, found: Differences): void {
  if (expected.kind === "unknown") return;
  if (expected.kind !== actual.kind) {
    found.add(path, "kind", expected.kind, actual.kind, actual.error);
    return;
  }
  if (expected.attrs_error === undefined && expected.attr_errors === undefined && !expected.attrs_truncated) {
    compareAttributes(path, expected, actual, found);
  }
  if (expected.kind === "group" && expected.links_error === undefined) compareLinks(path, expected, actual, found);
  if (expected.kind === "dataset") compareDataset(path, expected, actual, found);
  if (expected.kind === "datatype" && expected.dtype) compareTypes(path, expected, actual, found);
}

function compareAttributes(path: string, expected: ObjectNode, actual: ObjectNode, found: Differences): void {
  const ours = byLooseName(actual.attrs);
  const theirs = byLooseName(expected.attrs);
  for (const [name, value] of Object.entries(expected.attrs ?? {})) {
    const mine = ours.get(looseName(name));
    if (mine) compareValue(`${path}@${name}`, value, mine, found);
    else found.add(`${path}@${name}`, "attribute missing", value.dtype, undefined, actual.attrs_error ?? actual.error);
  }
  for (const [name, value] of Object.entries(actual.attrs ?? {})) {
    if (!theirs.has(looseName(name))) {
      found.add(`${path}@${name}`, "attribute that libhdf5 does not list", undefined, value.dtype);
    }
  }
}

function compareLinks(path: string, expected: ObjectNode, actual: ObjectNode, found: Differences): void {
  const ours = byLooseName(actual.links);
  const theirs = byLooseName(expected.links);
  for (const [name, link] of Object.entries(expected.links ?? {})) {
    const mine = ours.get(looseName(name));
    if (mine === undefined) {
      found.add(`${path} link ${name}`, "link missing", link, undefined, actual.links_error ?? actual.error);
    } else if (!sameLink(link, mine)) found.add(`${path} link ${name}`, "link", link, mine, mine.error);
  }
  for (const [name, link] of Object.entries(actual.links ?? {})) {
    if (!theirs.has(looseName(name)))
      found.add(`${path} link ${name}`, "link that libhdf5 does not list", undefined, link, link.error);
  }
}

function sameLink(expected: LinkNode, actual: LinkNode): boolean {
  if (expected.type === undefined) return true; // libhdf5 could not read it
  const same = (key: "file" | "target"): boolean => looseName(expected[key] ?? "") === looseName(actual[key] ?? "");
  return expected.type === actual.type && same("file") && same("target");
}

function compareDataset(path: string, expected: ObjectNode, actual: ObjectNode, found: Differences): void {
  for (const key of ["maxshape", "layout", "chunks", "filters"] as const) {
    if (!(key in expected) || JSON.stringify(expected[key]) === JSON.stringify(actual[key] ?? null)) continue;
    found.add(path, key, expected[key], actual[key], key in actual ? undefined : actual.error);
  }
  compareValue(path, expected, actual, found);
}

function compareValue(path: string, expected: ValueNode, actual: ValueNode, found: Differences): void {
  if (expected.error !== undefined) return;
  const { error } = actual;
  if (error !== undefined && typedError(error) === undefined) found.add(path, "untyped error", expected.data, error);
  if ("shape" in expected && JSON.stringify(expected.shape) !== JSON.stringify(actual.shape ?? null)) {
    found.add(path, "shape", expected.shape, actual.shape, "shape" in actual ? undefined : error);
    return;
  }
  if (expected.dtype) compareTypes(path, expected, actual, found);
  if (error !== undefined) found.add(path, "error where libhdf5 reads", expected.data, undefined, error);
  else if (expected.data !== undefined) {
    const at = compareData(expected.data, actual.data, expected.dtype);
    if (at) found.add(path, `data${at.at}`, at.expected, at.actual);
  }
}

function compareTypes(path: string, expected: ValueNode, actual: ValueNode, found: Differences): void {
  const at = compareType(expected.dtype, actual.dtype);
  if (at)
    found.add(path, `dtype${at.at}`, at.expected, at.actual, actual.dtype === undefined ? actual.error : undefined);
}
