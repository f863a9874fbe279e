import type { Reference, ReferenceDatatype, RegionReference } from "@h5/datatypes";
import { isH5Error } from "@h5/framing";
import type { H5File } from "@h5/reader";
import { boxesOf, decodeSelection, isUnlimited, type RegularHyperslab, type Selection } from "@h5/selection";

/** The JSON form of a reference of a datatype; it is not null. */
export type ReferenceNamer = (reference: Reference, datatype: ReferenceDatatype) => unknown;

/** Blocks or points up to which a region is spelt out. */
const LISTED = 2000;
/** References into other files whose paths are looked for: each takes a walk through its file. */
const MOST_WALKS = 256;

/** References by the path `pathOf` gives for the address of an object header. */
export function referenceNamer(pathOf: (address: number) => string | undefined): ReferenceNamer {
  return (reference, { kind }) => {
    const isOwn = reference.file === undefined && reference.from === undefined;
    const path = isOwn ? (pathOf(reference.address) ?? null) : null;
    const standard = kind === "object" || kind === "region" ? {} : { std: true };
    switch (reference.kind) {
      case "object":
        return { ref: path, ...standard, ...(path === null && { dangling: true }) };
      case "region":
        return { regionref: path, ...standard, ...jsonRegion(reference) };
      case "attribute":
        return { attrref: path, attr: reference.name, ...standard };
    }
  };
}

/** Names references, of which those into other files get their paths once these are looked through. */
export interface LateNamer {
  readonly nameOf: ReferenceNamer;
  /** Puts the paths where they belong in the forms given so far; those that are not found stay null. */
  settle(): Promise<void>;
}

/** {@link referenceNamer} of a file that knows where the others are. */
export function lateNamer(file: H5File, pathOf: (address: number) => string | undefined): LateNamer {
  const nameNow = referenceNamer(pathOf);
  const waiting = new Map<string, { readonly place: Reference; readonly forms: Record<string, unknown>[] }>();
  return {
    nameOf(reference, datatype) {
      const form = nameNow(reference, datatype) as Record<string, unknown>;
      const { file: other, from, address } = reference;
      if (other === undefined || from !== undefined) return form;
      const key = `${address} ${other}`;
      const known = waiting.get(key);
      if (known === undefined) waiting.set(key, { place: reference, forms: [form] });
      else known.forms.push(form);
      return form;
    },
    async settle() {
      for (const { place, forms } of [...waiting.values()].slice(0, MOST_WALKS)) {
        const path = await pathElsewhere(file, place);
        if (path !== undefined) for (const form of forms) putPath(form, path);
      }
    },
  };
}

async function pathElsewhere(file: H5File, place: Reference): Promise<string | undefined> {
  try {
    return await file.pathOf(place);
  } catch (error) {
    if (isH5Error(error)) return undefined;
    throw error;
  }
}

function putPath(form: Record<string, unknown>, path: string): void {
  for (const key of ["ref", "regionref", "attrref"]) if (key in form) form[key] = path;
  delete form["dangling"];
}

function jsonRegion({ selection: bytes }: RegionReference): object {
  return jsonSelection(decodeSelection(bytes).selection);
}

/** The JSON form of a selection. */
export function jsonSelection(selection: Selection): object {
  switch (selection.type) {
    case "all":
      return { all: true };
    case "none":
      return { none: true };
    case "points": {
      const { points } = selection;
      return points.length <= LISTED ? { points } : { npoints: points.length };
    }
    case "hyperslab":
      if (selection.form === "regular")
        return isUnlimited(selection) ? unlimitedHyperslab(selection) : regularBlocks(selection);
      return listedBlocks(blocksOf(selection, selection.blocks[0]!.start.length));
  }
}

type Block = readonly [start: readonly number[], end: readonly number[]];

function listedBlocks(blocks: readonly Block[]): object {
  return blocks.length <= LISTED ? { blocks } : { nblocks: blocks.length };
}

function blocksOf(selection: Selection, rank: number): Block[] {
  const shape = new Array<number>(rank).fill(0);
  return boxesOf(selection, shape).map(({ start, count }) => [start, start.map((first, i) => first + count[i]! - 1)]);
}

/** Start, stride, count and block, `null` where one is unlimited. */
function unlimitedHyperslab({ start, stride, count, block }: RegularHyperslab): object {
  const finite = (values: readonly number[]): (number | null)[] => values.map((v) => (v === Infinity ? null : v));
  return { hyperslab: [start, stride, count, block].map(finite) };
}

/** The blocks of a regular hyperslab, row-major; touching ones stay apart, as libhdf5 lists them. */
function regularBlocks({ start, stride, count, block }: RegularHyperslab): object {
  const total = count.reduce((product, n) => product * n, 1);
  if (total > LISTED) return { nblocks: total };
  let corners: number[][] = [[]];
  for (const [axis, n] of count.entries()) {
    const positions = Array.from({ length: n }, (_, i) => start[axis]! + i * stride[axis]!);
    corners = corners.flatMap((corner) => positions.map((position) => [...corner, position]));
  }
  return { blocks: corners.map((corner) => [corner, corner.map((first, axis) => first + block[axis]! - 1)]) };
}
