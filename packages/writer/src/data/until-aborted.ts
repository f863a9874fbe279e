import { abortable } from "@h5/framing";

/**
 * The items of an iterable, until the signal aborts: its reason is thrown then, even while the next item is being waited
 * for. An iterable that is left before its end is told so by its `return`.
 */
export async function* untilAborted<T>(
  items: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  // Whether it is at an item: where its `next` throws, it has ended.
  let paused = false;
  try {
    while (true) {
      signal?.throwIfAborted();
      paused = false;
      const step = await abortable(Promise.resolve(iterator.next()), signal);
      if (step.done) return;
      paused = true;
      yield step.value;
    }
  } finally {
    if (signal?.aborted) abandon(iterator);
    else if (paused) await iterator.return?.();
  }
}

/** Not waited for: a generator that waits for something itself answers only after that, which may be never. */
function abandon(iterator: Iterator<unknown> | AsyncIterator<unknown>): void {
  Promise.resolve(iterator.return?.()).catch(() => {});
}
