import { InvalidArgumentError } from "./errors.ts";

/** Bytes `[start, end)` of a source. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Options of whatever waits for bytes. */
export interface SliceOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where bytes come from. Answers may be views of memory the source keeps, but not of a buffer that later answers are put
 * in: they are kept. They are never written to, transferred or handed to the user.
 */
export interface ByteSource {
  /** Length in bytes, where it is known without asking (an HTTP source learns it with its first answer). */
  readonly byteLength?: number | undefined;
  /** Bytes `[start, min(end, EOF))`; empty past the end. */
  slice(
    start: number,
    end: number,
    options?: SliceOptions,
  ): ArrayBuffer | Uint8Array | Promise<ArrayBuffer | Uint8Array>;
  /** The bytes if they are at hand, else `undefined`; cut at the end of the source as `slice` cuts them. */
  peek?(start: number, end: number): Uint8Array | undefined;
  /** Reads into `target` from `start` and gives the number of bytes read, fewer than its length only at the end. */
  readInto?(start: number, target: Uint8Array, options?: SliceOptions): Promise<number>;
}

/** Throws unless `0 ≤ start ≤ end ≤ 2^53−1`: no source ever sees a senseless range. */
export function checkRange(start: number, end: number): void {
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end)) {
    throw new InvalidArgumentError(`no byte range [${start}, ${end})`);
  }
}

/**
 * A source's answer as bytes, without copying; goes by shape, so that buffers of another realm are known too.
 *
 * @throws InvalidArgumentError for anything but an ArrayBuffer, a SharedArrayBuffer or a view of one
 */
export function asBytes(answer: ArrayBufferLike | Uint8Array): Uint8Array {
  // A Node Buffer is one too, but its slice is a view where others copy: nobody below expects that.
  if (answer instanceof Uint8Array && answer.constructor === Uint8Array) return answer;
  if (ArrayBuffer.isView(answer)) return new Uint8Array(answer.buffer, answer.byteOffset, answer.byteLength);
  const kind = Object.prototype.toString.call(answer);
  if (kind === "[object ArrayBuffer]" || kind === "[object SharedArrayBuffer]") return new Uint8Array(answer);
  throw new InvalidArgumentError(`expected bytes as an ArrayBuffer or Uint8Array, got ${kind}`);
}

/** A source over bytes in memory. */
export function bytesSource(input: ArrayBufferLike | Uint8Array): ByteSource {
  const bytes = asBytes(input);
  const cut = (start: number, end: number): Uint8Array => bytes.subarray(start, end);
  return { byteLength: bytes.length, slice: cut, peek: cut };
}

/** The same source with its address 0 moved to `base` (spec II.A: all addresses are relative to the base address). */
export function offsetSource(source: ByteSource, base: number): ByteSource {
  if (base === 0) return source;
  // An address near 2^53 is past every end, with the base added or not.
  const at = (address: number): number => Math.min(base + address, Number.MAX_SAFE_INTEGER);
  return {
    get byteLength(): number | undefined {
      return source.byteLength === undefined ? undefined : Math.max(0, source.byteLength - base);
    },
    slice: (start, end, options) => source.slice(at(start), at(end), options),
    ...(source.peek && { peek: (start: number, end: number) => source.peek!(at(start), at(end)) }),
    ...(source.readInto && {
      readInto: (start: number, target: Uint8Array, options?: SliceOptions) =>
        source.readInto!(at(start), target, options),
    }),
  };
}
