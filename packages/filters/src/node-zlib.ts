/** What the two directions over `node:zlib` share. */

/** Under this size, handing bytes to the thread pool and back takes longer than what is done with them. */
export const THREAD_BYTES = 16384;

/** A Buffer as the Uint8Array it is. */
export function plainBytes(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer.buffer as ArrayBuffer, buffer.byteOffset, buffer.byteLength);
}
