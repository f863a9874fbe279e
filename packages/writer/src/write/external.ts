import { type ExternalFiles, encodeExternalFiles, encodeText, messageType, sizeOfExternalFiles } from "@h5/framing";
import { buildLocalHeap } from "@h5/heap";
import { elementCount } from "@h5/selection";
import type { DatasetModel, StorageModel } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";
import { layoutMessage } from "./contiguous.ts";
import type { Part } from "./part.ts";

/** Elements in other files (spec IV.A.2.h), which are the caller's to write. */
export function externalPart(
  dataset: DatasetModel,
  { slots }: Extract<StorageModel, { class: "external" }>,
  context: WriteContext,
): Part {
  const size = elementCount(dataset.space.shape) * dataset.datatype.size;
  const count = slots.length;
  let files: ExternalFiles = {
    heapAddress: 0,
    allocatedSlots: count,
    slots: slots.map((slot) => ({ nameOffset: 0, offset: slot.offset, size: slot.size })),
  };
  return {
    messages: [
      layoutMessage(() => ({ class: "contiguous", version: 3, address: undefined, size }), context),
      {
        type: messageType.externalFiles,
        flags: 0,
        size: sizeOfExternalFiles(files, context.space),
        body: () => encodeExternalFiles(files, context.space),
      },
    ],
    steps: {
      build(space) {
        const names = slots.map(({ file }) => encodeText(file));
        const heap = buildLocalHeap(space, names);
        files = {
          ...files,
          heapAddress: heap.address,
          slots: files.slots.map((slot, i) => ({ ...slot, nameOffset: heap.offsets[i]! })),
        };
      },
    },
  };
}
