import type { DecodeOptions } from "./filter.ts";
import { copyBack, corrupt } from "./lz-copy.ts";

/** Distance from which on a reference has two bytes more (blosclz.c). */
const FAR = 8191;

/**
 * Decodes a BloscLZ stream (blosclz.c of c-blosc, derived from FastLZ) into the whole of `output`. A stream is a sequence
 * of the steps below; of the first byte only the lower five bits count.
 *
 *     000nnnnn                          n+1 bytes that follow, as they are
 *     LLLooooo          oooooooo        L+2 bytes from o+1 bytes back, L from 1 to 6
 *     111ooooo 255…l    oooooooo        9 and the sum of all l more, the last of them below 255
 *     …11111   […]      11111111 dd dd  d+8192 bytes back, big-endian
 *
 * @throws InvalidFieldError for a stream that ends within a step, reaches back before its start, or gives another number
 * of bytes
 */
export function decodeBloscLz(bytes: Uint8Array, output: Uint8Array, options: DecodeOptions): void {
  const fail = (reason: string) => corrupt("BloscLZ", reason, options);
  let from = 0;
  let to = 0;
  const byte = (): number => {
    const value = bytes[from++];
    if (value === undefined) throw fail("it ends within a step");
    return value;
  };
  const room = (length: number): void => {
    if (to + length > output.length) throw fail(`it gives more than ${output.length} bytes`);
  };
  while (from < bytes.length) {
    const control = from === 0 ? byte() & 31 : byte();
    if (control < 32) {
      const literals = control + 1;
      if (from + literals > bytes.length) throw fail("it ends within a step");
      room(literals);
      for (let i = 0; i < literals; i++) output[to + i] = bytes[from + i]!;
      from += literals;
      to += literals;
      continue;
    }
    let length = (control >>> 5) + 2;
    if (length === 9) {
      for (let more = 255; more === 255; length += more) more = byte();
    }
    let distance = (control & 31) * 256 + byte() + 1;
    if (distance === FAR + 1) distance = byte() * 256 + byte() + FAR + 1;
    if (distance > to) throw fail("a reference reaches back before its start");
    room(length);
    copyBack(output, to, distance, length);
    to += length;
  }
  if (to !== output.length) throw fail(`expected ${output.length} bytes, got ${to}`);
}
