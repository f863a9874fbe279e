import { fillChunk } from "@h5/selection";
import type { Piece } from "./fetch.ts";
import type { Part } from "./part.ts";
import type { Storage, StoredReadOptions } from "./storage.ts";

/** The result being filled: what each piece of storage is handed to. */
export interface Landing {
  readonly elementSize: number;
  copy(part: Part, source: Uint8Array): void;
  /** Gives `count` elements of the result that are not stored their fill value; to come before any `copy`. */
  fill(count: number): void;
  /** Where the bytes of a part go if they go as they are. */
  direct(part: Pick<Part, "runAt" | "count">): Piece["direct"];
  /** Whether a source may read into the result. After an abort it may go on, when the result is the caller's again. */
  readonly readable: boolean;
}

/** The result that `target` becomes. */
export function landingOf({ elementSize, fill }: Storage, target: Uint8Array, options: StoredReadOptions): Landing {
  let loaded = 0;
  const done = (count: number): void => {
    loaded += count * elementSize;
    // What is still in flight at an abort lands in a result that nobody gets.
    if (options.signal?.aborted !== true) options.onProgress?.({ loaded, total: target.length });
  };
  return {
    elementSize,
    copy(part, source) {
      part.copy(source, target, elementSize);
      done(part.count);
    },
    fill(count) {
      if (count === 0) return;
      // Filling all of the result costs less than finding the holes between the stored parts.
      const length = target.length / elementSize;
      if (fill !== undefined) fillChunk({ length, sourceOffset: 0, targetOffset: 0, axes: [] }, fill, target);
      else if (options.usedTarget) target.fill(0);
      done(count);
    },
    direct({ runAt, count }) {
      if (runAt === undefined) return undefined;
      const own = target.subarray(runAt * elementSize, (runAt + count) * elementSize);
      return { target: own, placed: () => done(count) };
    },
    readable: !(options.lent && options.signal),
  };
}

/** Pieces of unfiltered storage that begins at `address`. */
export function* rawPieces(whole: Part, address: number, landing: Landing): Generator<Piece> {
  for (const { start, end, part } of whole.windows(landing.elementSize)) {
    yield {
      start: address + start,
      end: address + end,
      direct: landing.readable ? landing.direct(part) : undefined,
      land: (bytes) => landing.copy(part, bytes),
    };
  }
}
