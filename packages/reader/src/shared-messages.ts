import { decodeSharedMessageTable, InvalidFieldError, messageType, type Plan } from "@h5/framing";
import { findSharedMessage, readSharedMessageTable, type SharedMessageIndex } from "@h5/heap";
import type { Session } from "./session.ts";

/** The body of a message kept in the file's shared object header message heap (spec IV.A.2.p). */
export function* readSharedMessage(session: Session, type: number, heapId: Uint8Array): Plan<Uint8Array> {
  session.sharedMessages ??= yield* readIndexes(session);
  return yield* findSharedMessage(session, session.sharedMessages, type, heapId);
}

function* readIndexes(session: Session): Plan<readonly SharedMessageIndex[]> {
  const message = session.extension.find(({ type }) => type === messageType.sharedMessageTable);
  if (message === undefined) {
    throw new InvalidFieldError("a message is shared, but the file has no shared message table", {
      structure: "shared message",
    });
  }
  const { address, indexCount } = decodeSharedMessageTable(message.body, session, message.address);
  return yield* readSharedMessageTable(session, address, indexCount);
}
