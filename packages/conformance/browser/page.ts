/** Carries out orders on the main thread or in a worker; the test calls what is put on `globalThis`. */
import { carryOut, type Order } from "./readings.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** An order under way. */
interface Running {
  readonly result: Promise<unknown>;
  cancel(reason: string): void;
}

function here(order: Order): Running {
  const controller = new AbortController();
  return { result: carryOut(order, controller.signal), cancel: (reason) => controller.abort(reason) };
}

function inWorker(order: Order): Running {
  const worker = new Worker("/worker.js", { type: "module" });
  const tell = (message: ToWorker): void => worker.postMessage(message);
  const result = new Promise<unknown>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
      if ("error" in data) reject(data.error);
      else resolve(data.value);
    };
    worker.onerror = ({ message }): void => reject(new Error(message));
  });
  tell({ order });
  return { result, cancel: (reason) => tell({ reason }) };
}

let running: Running | undefined;

function start(place: "main thread" | "worker", order: Order): void {
  running = place === "worker" ? inWorker(order) : here(order);
  running.result.catch(() => {});
}

/** Calls the order off, and gives what its promise is rejected with. */
function cancel(reason: string): Promise<unknown> {
  running!.cancel(reason);
  return running!.result.then(
    () => "not rejected",
    (error: unknown) => error,
  );
}

/** The file that was chosen, or dropped, last. */
let given: File | null | undefined;
addEventListener("change", () => {
  given = document.querySelector("input")!.files?.item(0);
});
addEventListener("drop", ({ dataTransfer }) => {
  given = dataTransfer?.files.item(0);
});

Object.assign(globalThis, { start, cancel, givenFile: () => given, finish: () => running!.result });
