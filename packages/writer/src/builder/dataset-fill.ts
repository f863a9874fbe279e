import type { Datatype } from "@h5/datatypes";
import { type FillValue, InvalidArgumentError, sizeOfFillValue } from "@h5/framing";
import type { FileModel } from "../model/file.ts";
import type { StorageModel } from "../model/objects.ts";
import { encodeBlock, encodeElements } from "./elements.ts";
import { checkChoice, checkMessageSize } from "./option-checks.ts";
import type { DatasetOptions } from "./options.ts";
import { isStoredElements } from "./stored-elements.ts";

/** When libhdf5 allocates room where it is not told. */
const usualAllocation = {
  compact: "early",
  contiguous: "late",
  external: "late",
  virtual: "incremental",
  chunked: "incremental",
} as const;

/**
 * What elements are that were never written, and when room is allocated for them.
 *
 * @throws InvalidArgumentError for a value that does not fit its type, and options that do not go together
 */
export function fillOf(
  model: FileModel,
  datatype: Datatype,
  layout: StorageModel["class"],
  options: Pick<DatasetOptions, "fillValue" | "fillTime" | "allocationTime">,
): FillValue {
  const { fillValue, allocationTime = usualAllocation[layout] } = options;
  const writeTime = options.fillTime ?? usualTime(datatype, fillValue);
  checkChoice("fillTime", writeTime, ["allocation", "never", "ifset"]);
  checkChoice("allocationTime", allocationTime, ["early", "late", "incremental"]);
  if (layout === "compact" && allocationTime !== "early") {
    throw new InvalidArgumentError(`compact elements are allocated early, not ${allocationTime}`);
  }
  if (fillValue === null && writeTime === "allocation") {
    throw new InvalidArgumentError("there is no fill value to write on allocation");
  }
  const head = { version: model.earliest ? 2 : 3, allocationTime, writeTime, defined: fillValue !== null } as const;
  if (fillValue === undefined || fillValue === null) return sharedFill(model, head);
  const fill = { ...head, value: encodeFill(model, datatype, fillValue) };
  checkMessageSize(model, "a fill value", sizeOfFillValue(fill));
  return fill;
}

/** A fill value without bytes: the last one where it is the same. */
function sharedFill(model: FileModel, fill: FillValue): FillValue {
  const { allocationTime, writeTime, defined } = model.lastFill ?? {};
  const isSame = allocationTime === fill.allocationTime && writeTime === fill.writeTime && defined === fill.defined;
  if (!isSame) model.lastFill = fill;
  return model.lastFill!;
}

/** libhdf5 always writes the empty sequences that variable-length elements are by default (H5Dint.c). */
function usualTime(datatype: Datatype, fillValue: unknown): FillValue["writeTime"] {
  return fillValue === undefined && hasSequences(datatype) ? "allocation" : "ifset";
}

function hasSequences(t: Datatype): boolean {
  if (t.class === "compound") return t.members.some(({ type }) => hasSequences(type));
  return t.class === "vlen" || (t.class === "array" && hasSequences(t.base));
}

function encodeFill(model: FileModel, datatype: Datatype, fillValue: unknown): Uint8Array {
  return isStoredElements(fillValue)
    ? encodeBlock(model, fillValue, datatype, model.heaps)
    : encodeElements(model, datatype, [fillValue], model.heaps);
}
