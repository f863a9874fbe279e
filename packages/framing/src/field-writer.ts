import { InvalidArgumentError } from "./errors.ts";

/**
 * The vocabulary of {@link FieldReader} over a buffer of exactly the measured length: writing past its end, or finishing
 * before it, is a fault in the measuring and throws. This is the part of {@link ByteWriter} that small codecs need.
 */
export class FieldWriter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly structure: string;
  /** Offset of the next field. */
  offset: number = 0;

  constructor(length: number, structure: string) {
    this.bytes = new Uint8Array(length);
    this.structure = structure;
  }

  /** Leaves `length` zero bytes and gives the offset of the first. */
  skip(length: number): number {
    const at = this.offset;
    if (!(length >= 0 && at + length <= this.bytes.length)) {
      this.fail(`measured ${this.bytes.length} bytes, needs at least ${at + length}`);
    }
    this.offset = at + length;
    return at;
  }

  /** An unsigned integer of 1 to 8 bytes; one that does not fit throws. */
  uint(value: number, width: number): void {
    if (!Number.isSafeInteger(value) || value < 0 || (width < 7 && value >= 256 ** width)) {
      this.fail(`${value} does not fit an unsigned field of ${width} bytes`);
    }
    const at = this.skip(width);
    let rest = value;
    for (let i = 0; i < width; i++) {
      // The array takes the lowest byte.
      this.bytes[at + i] = rest;
      rest = Math.floor(rest / 256);
    }
  }

  /** An unsigned integer; `undefined` is written as all ones. */
  uintOrUndefined(value: number | undefined, width: number): void {
    if (value !== undefined) this.uint(value, width);
    else {
      const at = this.skip(width);
      this.bytes.fill(255, at, at + width);
    }
  }

  /** The bytes, which must be exactly full. */
  finish(): Uint8Array<ArrayBuffer> {
    if (this.offset !== this.bytes.length) this.fail(`measured ${this.bytes.length} bytes, wrote ${this.offset}`);
    return this.bytes;
  }

  /** Throws `InvalidArgumentError`. */
  fail(message: string): never {
    throw new InvalidArgumentError(message, { structure: this.structure });
  }
}
