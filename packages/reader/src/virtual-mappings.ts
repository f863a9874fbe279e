import type { Plan, VirtualLayout } from "@h5/framing";
import { globalHeapSpan, readGlobalHeapSpans } from "@h5/heap";
import { decodeVirtualMappings, type VirtualMappings } from "@h5/selection";
import type { Session } from "./session.ts";

/** Reads the mappings that a virtual layout leads to. */
export function* readMappingsOf(session: Session, { heapAddress, heapIndex }: VirtualLayout): Plan<VirtualMappings> {
  if (heapAddress === undefined) return { version: 0, mappings: [] };
  const { bytes, start, end } = globalHeapSpan(yield* readGlobalHeapSpans(session, heapAddress), heapIndex);
  return decodeVirtualMappings(bytes.subarray(start, end), session);
}
