/** The platform's, of which this package needs no more. */
declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

/**
 * Settles as `work` does, or rejects with `signal.reason`, unwrapped, as soon as the signal aborts, even if `work` never
 * settles.
 */
export function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    const settled = (): void => signal.removeEventListener("abort", stop);
    work.then(resolve, reject).then(settled);
  });
}

/** A signal for each of the parts of some work: one that many listen to makes Node warn of a leak. */
export class PartSignals {
  readonly #open = new Set<AbortController>();

  /** Does a part, which sees its own signal abort. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#open.add(controller);
    try {
      return await work(controller.signal);
    } finally {
      this.#open.delete(controller);
    }
  }

  /** Aborts the signals of the parts that are under way. */
  abort(reason: unknown): void {
    for (const controller of this.#open) controller.abort(reason);
  }
}

/**
 * Does `work` for every item, at most `width` at a time, begun in order. After the first failure, or an abort of `signal`,
 * no further item is begun and those under way see their own signal abort; when they have settled, the failure or the
 * signal's reason is thrown.
 */
export async function inFlight<T>(
  items: readonly T[],
  width: number,
  work: (item: T, index: number, signal: AbortSignal) => Promise<void>,
  signal?: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const parts = new PartSignals();
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      await parts.run((own) => work(items[index]!, index, own));
    }
  };
  const lanes = Array.from({ length: Math.min(width, items.length) }, lane);
  try {
    await abortable(Promise.all(lanes), signal);
  } catch (error) {
    next = items.length;
    parts.abort(error);
    await Promise.allSettled(lanes);
    throw error;
  }
}

/** One piece of work that several callers wait for, see {@link joinWork}. */
export interface SharedWork<T> {
  readonly result: Promise<T>;
  /** Whether all who waited have left, and the work was given up with the last of them. */
  readonly abandoned: boolean;
  enter(): void;
  leave(): void;
}

/** Starts work whose own signal aborts only when all who entered have left before it settled. */
export function shareWork<T>(start: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
  const controller = new AbortController();
  const result = start(controller.signal);
  let waiting = 0;
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  result.then(settle, settle);
  return {
    result,
    get abandoned(): boolean {
      return controller.signal.aborted;
    },
    enter() {
      waiting++;
    },
    leave() {
      waiting--;
      if (waiting === 0 && !settled) controller.abort();
    },
  };
}

/** Waits for pieces of shared work. An aborted `signal` ends this wait alone, with its reason. */
export async function joinWork<T>(works: readonly SharedWork<T>[], signal: AbortSignal | undefined): Promise<T[]> {
  for (const work of works) work.enter();
  try {
    return await abortable(Promise.all(works.map(({ result }) => result)), signal);
  } finally {
    for (const work of works) work.leave();
  }
}
