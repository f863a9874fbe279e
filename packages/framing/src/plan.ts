import type { ByteRange } from "./byte-source.ts";
import { type H5Error, InvalidArgumentError, InvalidFieldError, isH5Error, UnexpectedEofError } from "./errors.ts";
import { checkLimit, type Limits } from "./limits.ts";

/**
 * A walk over a file without I/O: it yields the byte ranges it needs next and is sent their bytes, in the same order.
 * Plans compose with `yield*`, {@link all} merges what many need into one batch, and `run` or `runSync` drives them.
 */
export type Plan<T> = Generator<readonly Need[], T, readonly Uint8Array[]>;

/** What a plan needs next: bytes, or that something else be done first, of which the bytes are then none. */
export interface Need extends ByteRange {
  readonly work?: (() => Promise<void>) | undefined;
}

/**
 * One range of a named structure. At least `min` bytes of it must exist (a speculative read asks for more than it must
 * have); fewer is an `UnexpectedEofError`.
 */
export function* need(structure: string, start: number, length: number, min: number = length): Plan<Uint8Array> {
  if (!Number.isSafeInteger(start + length) || start < 0 || length < 0) {
    throw new InvalidFieldError(`no bytes [${start}, ${start + length})`, { structure, address: start });
  }
  const [bytes] = yield [{ start, end: start + length }];
  if (bytes!.length < min) throw new UnexpectedEofError(structure, start, min, bytes!.length);
  return bytes!;
}

/**
 * All bytes of a structure that tells its own size in its first `min` bytes. Asks for `guess` bytes, which for most
 * files are all of it, and once more where they are too few.
 *
 * @throws LimitExceededError where `sizeOf` gives more than `limits.metadataBytes`
 */
export function* needSized(
  structure: string,
  start: number,
  { guess, min, limits }: { readonly guess: number; readonly min: number; readonly limits: Limits },
  sizeOf: (head: Uint8Array) => number,
): Plan<Uint8Array> {
  const head = yield* need(structure, start, Math.max(guess, min), min);
  const size = sizeOf(head);
  checkLimit(limits, "metadataBytes", size, { structure, address: start });
  return size <= head.length ? head.subarray(0, size) : yield* need(structure, start, size);
}

/**
 * Waits for what is no reading, such as loading code that few files need. Its failure ends the whole run, as that of a
 * read does.
 *
 * @throws InvalidArgumentError where what drives the plan does not wait, as `runSync`
 */
export function* wait<T>(work: () => Promise<T>): Plan<T> {
  const done: T[] = [];
  yield [{ start: 0, end: 0, work: () => work().then((value) => void done.push(value)) }];
  if (done.length === 0) throw new InvalidArgumentError("the plan has to wait: use run to drive it");
  return done[0]!;
}

/** What became of a plan run by {@link attempt}. */
export type Attempt<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: H5Error; readonly value?: undefined };

/** Isolates one plan's own error, so that a bad child does not end its siblings. I/O errors and aborts never enter a plan. */
export function* attempt<T>(plan: Plan<T>): Plan<Attempt<T>> {
  try {
    return { value: yield* plan };
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { error };
  }
}

/** As {@link attempt}, for work that needs no bytes. */
export function attemptNow<T>(work: () => T): Attempt<T> {
  try {
    return { value: work() };
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { error };
  }
}

interface OpenPlan<T> {
  readonly plan: Plan<T>;
  readonly slot: number;
  /** Ranges it waits for. */
  readonly count: number;
}

/**
 * Runs many plans in step, at most `width` unfinished at a time, merging what they need next into one batch. The plans
 * are taken from the iterable lazily, and their results are in its order. Throws with the first plan that does; the
 * others are closed then.
 */
export function* all<T>(plans: Iterable<Plan<T>>, width: number = 512): Plan<T[]> {
  if (!(width >= 1)) throw new InvalidArgumentError(`expected a width of at least 1, got ${width}`);
  // Most of the many calls there are in a walk over objects have nothing to merge.
  if (Array.isArray(plans) && plans.length < 2) return plans.length === 0 ? [] : [yield* plans[0] as Plan<T>];
  const results: T[] = [];
  const source = plans[Symbol.iterator]();
  let begun = 0;
  let more = true;
  let open: OpenPlan<T>[] = [];
  const advance = (plan: Plan<T>, slot: number, answers: readonly Uint8Array[], batch: Need[]): void => {
    const step = plan.next(answers);
    if (step.done) {
      results[slot] = step.value;
      return;
    }
    for (const range of step.value) batch.push(range);
    open.push({ plan, slot, count: step.value.length });
  };
  let resumed: OpenPlan<T>[] = [];
  try {
    for (let batch: Need[] = []; ; ) {
      while (more && open.length < width) {
        const next = source.next();
        if (next.done) more = false;
        else advance(next.value, begun++, [], batch);
      }
      if (open.length === 0) return results;
      const answers = yield batch;
      resumed = open;
      open = [];
      batch = [];
      let at = 0;
      for (const { plan, slot, count } of resumed) {
        advance(plan, slot, answers.slice(at, at + count), batch);
        at += count;
      }
    }
  } finally {
    // Closing a plan that has ended does nothing.
    for (const { plan } of [...resumed, ...open]) plan.return(undefined as T);
    if (more) source.return?.();
  }
}
