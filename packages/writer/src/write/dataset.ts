import { hasAddresses } from "@h5/datatypes";
import { encodeFillValue, messageFlag, messageType, sizeOfFillValue } from "@h5/framing";
import { encodeDataspace, sizeOfDataspace } from "@h5/selection";
import type { DatasetModel } from "../model/objects.ts";
import { placeElements } from "../model/placement.ts";
import { chunkedPart } from "./chunked.ts";
import type { WriteContext } from "./context.ts";
import { compactPart, contiguousPart } from "./contiguous.ts";
import { datatypeBody } from "./datatype-message.ts";
import { externalPart } from "./external.ts";
import { type PlannedMessage, plainMessage } from "./object-header.ts";
import type { Part } from "./part.ts";
import { virtualPart } from "./virtual.ts";

/** What makes an object a dataset: its type, space and fill value, and how its elements are stored. */
export function datasetPart(dataset: DatasetModel, context: WriteContext): Part {
  const storage = storagePart(dataset, context);
  const space = spaceMessage(dataset, context);
  const others = [typeMessage(dataset, context), fillMessage(dataset, context)];
  const shared = [
    keepsItsShape(dataset) ? context.share(space) : space,
    ...others.map((message) => context.share(message)),
  ];
  return { ...storage, messages: [...shared, ...storage.messages] };
}

/**
 * Resizing a dataset whose space is shared, libhdf5 leaves a header behind that it cannot read (`H5O__msg_write_real`);
 * and shared messages are written before elements that come as blocks, which may make the dataset grow.
 */
function keepsItsShape({ storage }: DatasetModel): boolean {
  return storage.class === "compact" || storage.class === "contiguous";
}

function storagePart(dataset: DatasetModel, context: WriteContext): Part {
  const { storage } = dataset;
  switch (storage.class) {
    case "compact":
      return compactPart(dataset, storage, context);
    case "contiguous":
      return contiguousPart(dataset, storage, context);
    case "external":
      return externalPart(dataset, storage, context);
    case "virtual":
      return virtualPart(storage, context);
    case "chunked":
      return chunkedPart(dataset, storage, context);
  }
}

function spaceMessage(dataset: DatasetModel, { space }: WriteContext): PlannedMessage {
  if (keepsItsShape(dataset)) return plainMessage(messageType.dataspace, encodeDataspace(dataset.space, space));
  const size = sizeOfDataspace(dataset.space, space);
  return { type: messageType.dataspace, flags: 0, size, body: () => encodeDataspace(dataset.space, space) };
}

function typeMessage(dataset: DatasetModel, context: WriteContext): PlannedMessage {
  const { size, shared, body } = datatypeBody(dataset, context);
  if (!shared) return plainMessage(messageType.datatype, body(), messageFlag.constant);
  return { type: messageType.datatype, flags: messageFlag.constant | messageFlag.shared, size, body };
}

function fillMessage({ fill, datatype }: DatasetModel, context: WriteContext): PlannedMessage {
  if (fill.value === undefined || !hasAddresses(datatype))
    return plainMessage(messageType.fillValue, encodeFillValue(fill), messageFlag.constant);
  const body = (): Uint8Array<ArrayBuffer> => {
    const value = fill.value!.slice();
    placeElements(datatype, value, 1, context);
    return encodeFillValue({ ...fill, value });
  };
  return { type: messageType.fillValue, flags: messageFlag.constant, size: sizeOfFillValue(fill), body };
}
