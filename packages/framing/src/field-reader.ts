import { InvalidFieldError, UnexpectedEofError } from "./errors.ts";

/** A number a file may hold but an address, size or count may not exceed. */
const MAX_SAFE = 9007199254740991;

/**
 * A bounds-checked little-endian cursor over the bytes of one structure. What it throws names the structure and the
 * file address of the field. This is the part of {@link ByteReader} that small codecs need, apart so that they stay small.
 */
export class FieldReader {
  readonly bytes: Uint8Array;
  readonly structure: string;
  /** File address of `bytes[0]`, for error messages. */
  readonly address: number | undefined;
  /** Offset in `bytes` of the next field. */
  offset: number;

  constructor(bytes: Uint8Array, structure: string, address?: number, offset: number = 0) {
    this.bytes = bytes;
    this.structure = structure;
    this.address = address;
    this.offset = offset;
  }

  /** Bytes left. */
  get remaining(): number {
    return this.bytes.length - this.offset;
  }

  /** File address of the next field, where the structure's is known. */
  get here(): number | undefined {
    return this.address === undefined ? undefined : this.address + this.offset;
  }

  /** Moves past the next `length` bytes, which must exist, and gives the offset of the first. */
  skip(length: number): number {
    const at = this.offset;
    if (!(at >= 0 && length >= 0 && length <= this.remaining)) {
      throw new UnexpectedEofError(this.structure, this.here, length, Math.max(0, this.remaining));
    }
    this.offset = at + length;
    return at;
  }

  /** The next `length` bytes as a view. */
  take(length: number): Uint8Array {
    const at = this.skip(length);
    return this.bytes.subarray(at, at + length);
  }

  /** An unsigned integer of 1 to 8 bytes, exact to 2^53−1; more is an error that calls it `name`. */
  uint(width: number, name: string = "number"): number {
    const at = this.skip(width);
    let value = 0;
    for (let i = at + width; i > at; ) value = value * 256 + this.bytes[--i]!;
    if (value > MAX_SAFE) this.fail(`${name} ${value} is above 2^53-1`, at);
    return value;
  }

  /** An unsigned integer of which all ones mean "undefined" or "unlimited", given as `undefined`. */
  uintOrUndefined(width: number, name?: string): number | undefined {
    const at = this.offset;
    for (let i = 0; i < width; i++) if (this.bytes[at + i] !== 255) return this.uint(width, name);
    this.offset = at + width;
    return undefined;
  }

  /** Throws `InvalidFieldError` for the field at `offset` (default: the next one). */
  fail(message: string, offset: number = this.offset): never {
    const address = this.address === undefined ? undefined : this.address + offset;
    throw new InvalidFieldError(message, { structure: this.structure, address });
  }
}
