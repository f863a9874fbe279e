import { encodeLayout, messageType, sizeOfLayout, type VirtualLayout } from "@h5/framing";
import type { VirtualStorage } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";
import type { Part } from "./part.ts";

/** A view of other datasets (spec IV.A.2.i, "Virtual Storage"); its mappings are an object of the global heap. */
export function virtualPart({ mappings }: VirtualStorage, context: WriteContext): Part {
  const { space } = context;
  const layout = (heapAddress: number | undefined): VirtualLayout => ({
    class: "virtual",
    version: 4,
    heapAddress,
    heapIndex: mappings?.index ?? 0,
  });
  const address = (): number | undefined => mappings && context.collectionAddress(mappings.address, false);
  const body = (): Uint8Array => encodeLayout(layout(address()), space);
  return { messages: [{ type: messageType.layout, flags: 0, size: sizeOfLayout(layout(undefined), space), body }] };
}
