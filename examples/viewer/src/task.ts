import { isH5Error } from "@h5/framing";
import type { ReadOptions } from "@h5/reader";
import { byId, element } from "./element.ts";

/** What the user waits for: one task of a kind at a time, the next one of its kind ends the one before. */
type Kind = "open" | "tree" | "object" | "data";

const running = new Map<Kind, AbortController>();

/**
 * Does what may take long: shows what is done and how far it is, lets the user cancel it, and shows the error it ends
 * with. Gives `undefined` where it ended with one or was cancelled.
 */
export async function task<T>(
  kind: Kind,
  doing: string,
  work: (options: ReadOptions) => Promise<T>,
): Promise<T | undefined> {
  const controller = new AbortController();
  running.get(kind)?.abort("superseded");
  running.set(kind, controller);
  const { signal } = controller;
  showError(undefined);
  showDoing(doing);
  try {
    const onProgress = ({ loaded, total }: { loaded: number; total: number }): void => {
      if (running.get(kind) === controller) showProgress(loaded, total);
    };
    const result = await work({ signal, onProgress });
    // What was read may come too late to be wanted.
    return signal.aborted ? undefined : result;
  } catch (error) {
    if (!signal.aborted) showError(error);
    return undefined;
  } finally {
    if (running.get(kind) === controller) {
      running.delete(kind);
      if (running.size === 0) showDone(signal.aborted ? `Cancelled: ${doing}` : "");
    }
  }
}

/** Calls off what is being done: of one kind, or everything. */
export function cancel(kind?: Kind): void {
  for (const [one, controller] of running) if (kind === undefined || one === kind) controller.abort("cancelled");
}

function showDoing(doing: string): void {
  const progress = byId("task").querySelector("progress")!;
  progress.removeAttribute("value");
  progress.hidden = false;
  byId("cancel").hidden = false;
  byId("doing").textContent = doing;
}

function showProgress(loaded: number, total: number): void {
  Object.assign(byId("task").querySelector("progress")!, { value: loaded, max: total });
}

function showDone(text: string): void {
  byId("task").querySelector("progress")!.hidden = true;
  byId("cancel").hidden = true;
  byId("doing").textContent = text;
}

/** Shows an error to the user; `undefined` for none any more. */
export function showError(error: unknown): void {
  byId("error").hidden = error === undefined;
  byId("error").replaceChildren(...(error === undefined ? [] : [errorElement(error)]));
}

/** An error as it is typed: its code first, then the message, which names path, structure and address. */
export function errorElement(error: unknown): HTMLElement {
  const code = isH5Error(error) ? error.code : error instanceof Error ? error.name : "Error";
  const message = error instanceof Error ? error.message : String(error);
  return element("span", { className: "error" }, element("code", {}, code), ` ${message}`);
}
