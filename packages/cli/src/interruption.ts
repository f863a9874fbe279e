import process from "node:process";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs work that the signals to end must not cut off in the middle: the first of them aborts it. */
export async function interruptible(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const interrupt = (): void => controller.abort(new Error("interrupted"));
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
