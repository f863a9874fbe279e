import type { LoadedObject } from "./object.ts";
import { loaded, type Session, type SignalOptions } from "./session.ts";

/** Looks at the sources of a virtual dataset, which alone may tell how large it is. */
export async function settle(session: Session, object: LoadedObject, options: SignalOptions): Promise<void> {
  if (object.mappings?.value === undefined) return;
  const { settleExtent } = await loaded(() => import("./virtual-extent.ts"), options);
  await settleExtent(session, object, options);
}
