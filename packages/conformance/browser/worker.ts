import { carryOut, type Order } from "./readings.ts";

/** What a page says to this worker: first an order, then perhaps that it is off, and why. */
export type ToWorker = { readonly order: Order } | { readonly reason: string };

/** What this worker answers. */
export type FromWorker = { readonly value: unknown } | { readonly error: unknown };

const controller = new AbortController();
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  const answer = (message: FromWorker): void => postMessage(message);
  if ("reason" in data) controller.abort(data.reason);
  else {
    carryOut(data.order, controller.signal).then(
      (value) => answer({ value }),
      (error) => answer({ error }),
    );
  }
});
