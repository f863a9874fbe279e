import { abortable, inFlight } from "./abort.ts";
import { asBytes, type ByteRange, type ByteSource, checkRange, type SliceOptions } from "./byte-source.ts";
import { coalesce, sliceBack } from "./coalesce.ts";
import { InvalidArgumentError, ioFailure } from "./errors.ts";
import type { Plan } from "./plan.ts";

/** Requests one batch keeps open at a time. */
const FLIGHT = 16;

/**
 * Drives a plan over a source. What the source has at hand (`peek`) costs nothing; the rest of a batch is coalesced and
 * fetched in parallel. A failing source or an abort ends the whole run, and the plan is closed; neither enters it.
 *
 * @throws SourceError for what the source throws (with it as `cause`), typed errors of source and plan as they are,
 * `signal.reason`, unwrapped, once `signal` aborts
 */
export async function run<T>(plan: Plan<T>, source: ByteSource, options: SliceOptions = {}): Promise<T> {
  try {
    options.signal?.throwIfAborted();
    let step = plan.next();
    while (!step.done) {
      options.signal?.throwIfAborted();
      const ranges = step.value;
      for (const { work } of ranges) if (work !== undefined) await abortable(work(), options.signal);
      const answers = ranges.map((range) => atHand(source, range));
      if (answers.includes(undefined)) await fetchMissing(ranges, answers, source, options);
      step = plan.next(answers as Uint8Array[]);
    }
    return step.value;
  } finally {
    plan.return(undefined as T);
  }
}

/**
 * Drives a plan over a source that answers at once, as `bytesSource` does.
 *
 * @throws InvalidArgumentError where the source answers with a promise, else as {@link run}
 */
export function runSync<T>(plan: Plan<T>, source: ByteSource): T {
  try {
    let step = plan.next();
    while (!step.done) step = plan.next(step.value.map((range) => atHand(source, range) ?? sliceSync(source, range)));
    return step.value;
  } finally {
    plan.return(undefined as T);
  }
}

/**
 * One range of a source, past its `peek`: the range is checked, an answer longer than asked for is cut, failures are
 * `SourceError`, and an abort rejects at once, even if the source never answers.
 */
export async function readRange(source: ByteSource, range: ByteRange, options: SliceOptions = {}): Promise<Uint8Array> {
  const { start, end } = range;
  const { signal } = options;
  checkRange(start, end);
  signal?.throwIfAborted();
  try {
    const answer = source.slice(start, end, options);
    return cut(isPromise(answer) ? await abortable(answer, signal) : answer, range);
  } catch (error) {
    throw ioFailure(error, reading(range), signal);
  }
}

/**
 * Reads from `start` straight into `target` with a source's own `readInto`, as {@link readRange} reads. Gives the bytes
 * read, fewer than asked for only at the end of the source.
 *
 * @throws InvalidArgumentError where the source has no `readInto`
 */
export async function readRangeInto(
  source: ByteSource,
  start: number,
  target: Uint8Array,
  options: SliceOptions = {},
): Promise<number> {
  const range = { start, end: start + target.length };
  checkRange(range.start, range.end);
  if (source.readInto === undefined) throw new InvalidArgumentError("expected a source with readInto");
  options.signal?.throwIfAborted();
  try {
    return await abortable(source.readInto(start, target, options), options.signal);
  } catch (error) {
    throw ioFailure(error, reading(range), options.signal);
  }
}

async function fetchMissing(
  ranges: readonly ByteRange[],
  answers: (Uint8Array | undefined)[],
  source: ByteSource,
  options: SliceOptions,
): Promise<void> {
  const places = answers.flatMap((answer, place) => (answer === undefined ? [place] : []));
  const missing = places.map((place) => ranges[place]!);
  const extents = coalesce(missing);
  const fetched: Uint8Array[] = [];
  const fetch = async (extent: ByteRange, i: number, signal: AbortSignal): Promise<void> => {
    fetched[i] = await readRange(source, extent, { signal });
  };
  await inFlight(extents, FLIGHT, fetch, options.signal);
  for (const [i, bytes] of sliceBack(missing, extents, fetched).entries()) answers[places[i]!] = bytes;
}

/** The bytes that take no request, if the source has them. */
function atHand(source: ByteSource, range: ByteRange): Uint8Array | undefined {
  const { start, end } = range;
  checkRange(start, end);
  if (start === end) return new Uint8Array(0);
  try {
    const answer = source.peek?.(start, end);
    return answer && cut(answer, range);
  } catch (error) {
    throw ioFailure(error, reading(range));
  }
}

function sliceSync(source: ByteSource, range: ByteRange): Uint8Array {
  try {
    const answer = source.slice(range.start, range.end);
    if (!isPromise(answer)) return cut(answer, range);
    answer.then(undefined, () => {});
  } catch (error) {
    throw ioFailure(error, reading(range));
  }
  throw new InvalidArgumentError("expected a source that answers at once, got a promise; use run instead of runSync");
}

function isPromise<T>(answer: T | Promise<T>): answer is Promise<T> {
  return typeof (answer as Partial<Promise<T>> | null | undefined)?.then === "function";
}

/** An answer as bytes, no more than were asked for. */
function cut(answer: ArrayBuffer | Uint8Array, { start, end }: ByteRange): Uint8Array {
  const bytes = asBytes(answer);
  return bytes.length > end - start ? bytes.subarray(0, end - start) : bytes;
}

function reading({ start, end }: ByteRange): string {
  return `reading bytes [${start}, ${end})`;
}
