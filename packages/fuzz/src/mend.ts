import type { H5Error } from "@h5/framing";

/**
 * Puts the checksums right that errors tell of, so that the decoders go on to what lies behind them; false where there
 * are none to be found. The sum that was found is looked for from the structure's address on.
 */
export function mendChecksums(bytes: Uint8Array, errors: readonly H5Error[]): boolean {
  let mended = false;
  for (const { message, address = 0 } of errors) {
    const [, wanted, got] = /expected checksum 0x([0-9a-f]{8}), got 0x([0-9a-f]{8})/.exec(message) ?? [];
    if (wanted === undefined || got === undefined) continue;
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(stored(got), address);
    if (at < 0) continue;
    bytes.set(stored(wanted), at);
    mended = true;
  }
  return mended;
}

/** The bytes of a 32-bit word that is given in hexadecimal digits. */
function stored(digits: string): Buffer {
  return Buffer.from(digits, "hex").reverse();
}
