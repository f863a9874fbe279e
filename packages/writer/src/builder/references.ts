import type { Reference } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { encodeSelection, isUnlimited, type Selection } from "@h5/selection";
import type { FileModel } from "../model/file.ts";
import type { ObjectModel } from "../model/objects.ts";
import { joinPath } from "../model/path.ts";
import { objectAt } from "../model/walk.ts";
import { type ElementChoice, selectionOf } from "./element-choice.ts";

/** A reference to an object of the file being written, which may be added later than the reference. */
export interface PathReference {
  readonly kind: "object" | "region";
  readonly path: string;
  /** Of a region: elements of the dataset at the path. */
  readonly selection?: ElementChoice | undefined;
  /** @internal Carried along, so that programs without region references are without this too. */
  readonly encode?: typeof encodeRegion | undefined;
}

/** A reference to the object at a path, counted from the root; a value of dtype `"reference"`. */
export function objectReference(path: string): PathReference {
  return { kind: "object", path: joinPath("/", path) };
}

/**
 * A reference to elements of the dataset at a path; a value of dtype `"region"`.
 *
 * @param selection - slices count from the shape the dataset has when the reference is put into data: it must be there
 */
export function regionReference(path: string, selection: ElementChoice): PathReference {
  return { kind: "region", path: joinPath("/", path), selection, encode: encodeRegion };
}

/** What kind of reference a value stands for; undefined where it is none. */
export function referenceKind(value: unknown): PathReference["kind"] | undefined {
  return isPathReference(value) ? value.kind : undefined;
}

/**
 * What a value stands for where a reference is wanted. The address is the number of a target.
 *
 * @throws InvalidArgumentError for the reference of a reader, whose address means nothing in this file, and a selection
 *   that the dataset does not have
 */
export function resolveReference(value: unknown, model: FileModel): Reference | null | undefined {
  if (value === null) return null;
  if (!isPathReference(value) || (value.kind === "region" && value.encode === undefined)) {
    throw new InvalidArgumentError("expected objectReference(path), regionReference(path, selection) or null");
  }
  const address = model.targets.numberOf(value.path);
  return value.encode === undefined
    ? { kind: "object", address }
    : { kind: "region", address, selection: value.encode(value, model) };
}

function encodeRegion(reference: PathReference, model: FileModel): Uint8Array<ArrayBuffer> {
  return encodeSelection(regionOf(reference, model), { low: model.earliest ? "earliest" : "v110" });
}

function regionOf(reference: PathReference, model: FileModel): Selection {
  const object = objectAt(model.root, reference.path);
  const selection = regionIn(reference, object);
  if (object === undefined) model.targets.checkLater(reference.path, (later) => void regionIn(reference, later));
  return selection;
}

function regionIn(reference: PathReference, object: ObjectModel | undefined): Selection {
  try {
    return checkedRegion(reference, object);
  } catch (cause) {
    throw new InvalidArgumentError(`region of ${reference.path}: ${(cause as Error).message}`, { cause });
  }
}

/** @param object - what is at the path; undefined where it is to be added later, so that only the selection is checked */
function checkedRegion({ selection: choice }: PathReference, object: ObjectModel | undefined): Selection {
  if (choice === undefined) throw new InvalidArgumentError("expected a selection");
  if (object !== undefined && object.kind !== "dataset")
    throw new InvalidArgumentError(`a ${object.kind} has no elements`);
  const { shape, maxShape } = object?.space ?? {};
  // A region may lie where the dataset has yet to grow to.
  const most = maxShape?.map((size) => Math.min(size, Number.MAX_SAFE_INTEGER));
  const selection = selectionOf(choice, Array.isArray(choice) ? shape : most);
  if (isUnlimited(selection)) throw new InvalidArgumentError("an unlimited selection");
  return selection;
}

function isPathReference(value: unknown): value is PathReference {
  return (
    value !== null && typeof value === "object" && "kind" in value && "path" in value && typeof value.path === "string"
  );
}
