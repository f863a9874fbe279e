import type { Widths } from "./widths.ts";

/** Room in a file being written, for structures that are built from their leaves up. */
export interface FileSpace extends Widths {
  /** Takes `size` bytes that nothing else has, and gives their address. */
  allocate(size: number): number;
  /** Writes a whole block at an address that was given for it. The bytes are handed over. */
  put(address: number, bytes: Uint8Array<ArrayBuffer>): void;
}

/** Takes room for a block whose address nothing in it depends on, and writes it there. */
export function place(space: FileSpace, bytes: Uint8Array<ArrayBuffer>): number {
  const address = space.allocate(bytes.length);
  space.put(address, bytes);
  return address;
}
