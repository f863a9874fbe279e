import type { DecodeOptions } from "./filter.ts";
import { copyBack, corrupt } from "./lz-copy.ts";

/**
 * Decodes a Snappy stream (format_description.txt of Snappy) into the whole of `output`: its length, seven bits a byte
 * from the lowest on, then a sequence of
 *
 *     nnnnnn00 [n of 1 to 4 bytes]     n+1 bytes that follow; from 60 on n-59 bytes say n
 *     ooonnn01 oooooooo                n+4 bytes from o bytes back
 *     nnnnnn10 oo oo                   n+1 bytes from o bytes back, little-endian
 *     nnnnnn11 oo oo oo oo             the same
 *
 * Written here, as the decoder of LZ4 blocks is: the libraries do not check that what comes out has the length it should.
 *
 * @throws InvalidFieldError for a stream that ends within a step, reaches back before its start, or gives another number
 * of bytes
 */
export function decodeSnappy(bytes: Uint8Array, output: Uint8Array, options: DecodeOptions): void {
  const fail = (reason: string) => corrupt("Snappy", reason, options);
  let from = 0;
  let to = 0;
  const number = (size: number): number => {
    if (from + size > bytes.length) throw fail("it ends within a step");
    let value = 0;
    for (let i = size - 1; i >= 0; i--) value = value * 256 + bytes[from + i]!;
    from += size;
    return value;
  };
  let total = 0;
  for (let [weight, byte] = [1, 128]; byte >= 128; weight *= 128) {
    byte = number(1);
    total += (byte & 127) * weight;
    if (total > output.length) break;
  }
  if (total !== output.length) throw fail(`expected ${output.length} bytes, got ${total}`);
  while (from < bytes.length) {
    const tag = number(1);
    const kind = tag & 3;
    let length = (tag >>> 2) + 1;
    if (kind === 0 && length > 60) length = number(length - 60) + 1;
    if (kind === 1) length = ((tag >>> 2) & 7) + 4;
    if (to + length > output.length) throw fail(`it gives more than ${output.length} bytes`);
    if (kind === 0) {
      if (from + length > bytes.length) throw fail("it ends within literals");
      output.set(bytes.subarray(from, from + length), to);
      from += length;
    } else {
      const distance = kind === 1 ? (tag >>> 5) * 256 + number(1) : number(kind === 2 ? 2 : 4);
      if (distance === 0 || distance > to) throw fail("a copy reaches back before its start");
      copyBack(output, to, distance, length);
    }
    to += length;
  }
  if (to !== output.length) throw fail(`expected ${output.length} bytes, got ${to}`);
}
