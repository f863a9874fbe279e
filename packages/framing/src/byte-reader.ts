import { FieldReader } from "./field-reader.ts";
import { decodeText } from "./text.ts";
import type { Widths } from "./widths.ts";

/**
 * A bounds-checked little-endian cursor over the bytes of one structure. What it throws names the structure and the
 * file address of the field.
 */
export class ByteReader extends FieldReader {
  u8(): number {
    return this.bytes[this.skip(1)]!;
  }

  u16(): number {
    // By bytes: a DataView for every structure costs more than it saves on the few fields of one.
    const at = this.skip(2);
    return this.bytes[at]! | (this.bytes[at + 1]! << 8);
  }

  u32(): number {
    const { bytes } = this;
    const at = this.skip(4);
    return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
  }

  /** A u64 used as an address, size or count: more than 2^53−1 is an error. */
  u64(name: string = "number"): number {
    return this.uint(8, name);
  }

  /** A u64 as it stands, for values and statistics. */
  bigU64(): bigint {
    const at = this.skip(8);
    return new DataView(this.bytes.buffer, this.bytes.byteOffset + at, 8).getBigUint64(0, true);
  }

  /** An address; all ones is the undefined address, given as `undefined` (spec I: "undefined address"). */
  offsetField(widths: Widths, name: string = "address"): number | undefined {
    const { offsetSize, foldAddress } = widths;
    if (foldAddress === undefined || offsetSize < 8) return this.uintOrUndefined(offsetSize, name);
    const address = this.bigU64();
    if (address === 0xffffffffffffffffn) return undefined;
    return address > BigInt(Number.MAX_SAFE_INTEGER) ? foldAddress(address) : Number(address);
  }

  /** A length; all ones, which some fields use for "unlimited" or "undefined", is given as `undefined`. */
  lengthOrUndefined(widths: Widths, name: string = "length"): number | undefined {
    return this.uintOrUndefined(widths.lengthSize, name);
  }

  /** An address that must be defined. */
  definedOffset(widths: Widths, name: string = "address"): number {
    const at = this.offset;
    const value = this.offsetField(widths, name);
    return value === undefined ? this.fail(`${name} is undefined`, at) : value;
  }

  /** A size or count of the file's length width. */
  lengthField(widths: Widths, name: string = "length"): number {
    return this.uint(widths.lengthSize, name);
  }

  /** Moves on to the next multiple of `multiple`, counted from the start of the structure or from `origin`. */
  align(multiple: number, origin: number = 0): void {
    this.skip((multiple - ((this.offset - origin) % multiple)) % multiple);
  }

  /** Checks a 4-character signature. */
  signature(expected: string): void {
    const at = this.skip(expected.length);
    for (let i = 0; i < expected.length; i++) {
      if (this.bytes[at + i] !== expected.charCodeAt(i)) {
        const found = this.bytes.subarray(at, this.offset);
        this.fail(`expected signature "${expected}", got ${JSON.stringify(String.fromCharCode(...found))}`, at);
      }
    }
  }

  /** Text up to a NUL, which is taken too; UTF-8 with bad bytes kept apart (see `decodeText`). */
  nulTerminated(name: string): string {
    const end = this.bytes.indexOf(0, this.offset);
    if (end < 0) this.fail(`${name} has no terminating NUL`);
    const text = decodeText(this.bytes.subarray(this.offset, end));
    this.offset = end + 1;
    return text;
  }
}
