import { encodeSharedMessage, sizeOfSharedMessage } from "@h5/framing";
import type { TypeUse } from "../model/objects.ts";
import type { WriteContext } from "./context.ts";

/** The datatype of an object: the message, or a pointer to the named datatype that it is (spec IV.A.2.d, IV.B). */
export interface DatatypeBody {
  readonly size: number;
  readonly shared: boolean;
  body(): Uint8Array;
}

const COMMITTED = 2;

/** What a message says of the type an object uses. */
export function datatypeBody({ datatype, named }: TypeUse, context: WriteContext): DatatypeBody {
  if (named === undefined) {
    const bytes = context.model.types.encoded(datatype);
    return { size: bytes.length, shared: false, body: () => bytes };
  }
  // Version 3 came with HDF5 1.8; what it means is the same (H5Oshared.c).
  const version = context.model.earliest ? 2 : 3;
  const pointer = (address: number) => ({ version, type: COMMITTED, kind: "committed", address }) as const;
  return {
    size: sizeOfSharedMessage(pointer(0), context.space),
    shared: true,
    body: () => encodeSharedMessage(pointer(context.addressOf(named)), context.space),
  };
}
