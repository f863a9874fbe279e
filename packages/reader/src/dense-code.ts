import { type Plan, wait } from "@h5/framing";
import type { Session } from "./session.ts";

/** The code for what is kept in fractal heaps, loaded when something is found there. */
export function* denseCode(session: Session): Plan<typeof import("./dense.ts")> {
  session.code.dense ??= yield* wait(() => import("./dense.ts"));
  return session.code.dense;
}
