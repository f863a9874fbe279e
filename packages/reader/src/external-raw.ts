import {
  type ByteSource,
  type ExternalFiles,
  inFlight,
  NotFoundError,
  readRange,
  type SliceOptions,
  UnsupportedFeatureError,
} from "@h5/framing";
import { localHeapString, readLocalHeap } from "@h5/heap";
import { requestFile } from "./request-file.ts";
import { runPlan, type Session, type SignalOptions } from "./session.ts";

/** Pieces read at once. */
const FLIGHT = 8;

/** A piece of another file that holds raw data. */
export interface ExternalSlot {
  /** Name of the file, as it is stored. */
  readonly name: string;
  /** First byte of the piece in the file. */
  readonly offset: number;
  /** Bytes of the piece; `undefined`: as many as there are. */
  readonly size?: number | undefined;
}

/** A slot by its place in the raw data. */
interface Slot extends ExternalSlot {
  readonly start: number;
  /** `Infinity` for the unlimited last slot. */
  readonly end: number;
}

/**
 * The raw data of a dataset that keeps it in other files, as one source: the slots in the order they are declared
 * (H5Defl.c, `H5D__efl_read`). What a file is too short for is zero; past the last slot there is nothing. A file is
 * asked for when a byte of its slot is.
 *
 * Its slices throw NotFoundError for a missing file.
 *
 * @throws UnsupportedFeatureError where other files cannot be had
 */
export async function externalData(
  session: Session,
  files: ExternalFiles,
  options: SignalOptions,
): Promise<ByteSource> {
  if (session.files.sources === undefined) {
    throw new UnsupportedFeatureError("raw data in external files, which needs a resolver", { structure: "dataset" });
  }
  const slots = await slotsOf(session, files, options);
  return {
    async slice(start, end, sliceOptions = {}) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, slots.at(-1)!.end) - start));
      const touched = slots.filter((slot) => slot.start < end && slot.end > start);
      const read = (slot: Slot, _: number, signal: AbortSignal): Promise<void> =>
        readSlot(session, slot, start, bytes, { signal });
      await inFlight(touched, FLIGHT, read, sliceOptions.signal);
      return bytes;
    },
  };
}

/** The slots with the names of their files. */
export async function externalSlotsOf(
  session: Session,
  files: ExternalFiles,
  options: SignalOptions,
): Promise<ExternalSlot[]> {
  const heap = await runPlan(session, readLocalHeap(session, files.heapAddress), options);
  return files.slots.map(({ nameOffset, offset, size }) => ({ name: localHeapString(heap, nameOffset), offset, size }));
}

async function slotsOf(session: Session, files: ExternalFiles, options: SignalOptions): Promise<Slot[]> {
  let end = 0;
  return (await externalSlotsOf(session, files, options)).map((slot) => {
    const start = end;
    end += slot.size ?? Number.POSITIVE_INFINITY;
    return { ...slot, start, end };
  });
}

/** Puts what a slot has of the bytes from `origin` on in their place. */
async function readSlot(
  session: Session,
  slot: Slot,
  origin: number,
  target: Uint8Array,
  options: SliceOptions,
): Promise<void> {
  const from = Math.max(slot.start, origin);
  const length = Math.min(slot.end, origin + target.length) - from;
  const at = slot.offset + from - slot.start;
  const file = await requestFile(session.files, slot.name, { kind: "raw data", from: session.name, ...options });
  if (file === null) throw new NotFoundError(`no file ${JSON.stringify(slot.name)}, which has raw data`);
  // No file reaches beyond 2^53−1.
  if (length === 0 || !Number.isSafeInteger(at + length)) return;
  target.set(await readRange(file.source, { start: at, end: at + length }, options), from - origin);
}
