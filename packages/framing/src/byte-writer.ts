import { FieldWriter } from "./field-writer.ts";
import type { Widths } from "./widths.ts";

/**
 * The vocabulary of {@link ByteReader} over a buffer of exactly the measured length: writing past its end, or finishing
 * before it, is a fault in the measuring and throws.
 */
export class ByteWriter extends FieldWriter {
  u8(value: number): void {
    this.uint(value, 1);
  }

  u16(value: number): void {
    this.uint(value, 2);
  }

  u32(value: number): void {
    this.uint(value, 4);
  }

  u64(value: number): void {
    this.uint(value, 8);
  }

  bigU64(value: bigint): void {
    if (BigInt.asUintN(64, value) !== value) this.fail(`${value} does not fit an unsigned field of 8 bytes`);
    // No view is kept: most writers never need one, and making it costs more than writing a small structure.
    new DataView(this.bytes.buffer).setBigUint64(this.skip(8), value, true);
  }

  /** An address; `undefined` is written as all ones. */
  offsetField(value: number | undefined, widths: Widths): void {
    this.uintOrUndefined(value, widths.offsetSize);
  }

  /** A length; `undefined` is written as all ones. */
  lengthField(value: number | undefined, widths: Widths): void {
    this.uintOrUndefined(value, widths.lengthSize);
  }

  /** Copies bytes in. */
  put(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.skip(bytes.length));
  }

  /** Zeros up to the next multiple of `multiple`, counted from the start or from `origin`. */
  align(multiple: number, origin: number = 0): void {
    this.skip((multiple - ((this.offset - origin) % multiple)) % multiple);
  }

  /** ASCII characters, as in a signature. */
  ascii(text: string): void {
    const at = this.skip(text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) this.fail(`${JSON.stringify(text)} is not ASCII`);
      this.bytes[at + i] = code;
    }
  }
}
