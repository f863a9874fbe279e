/** A file in memory being written. Blocks must be put once each, whole, where room was taken. */
export interface MemorySpace {
  readonly offsetSize: number;
  readonly lengthSize: number;
  /** Blocks with room, and whether they have been put. */
  readonly blocks: ReadonlyMap<number, { readonly size: number; readonly done: boolean }>;
  allocate(size: number): number;
  put(address: number, block: Uint8Array<ArrayBuffer>): void;
  /** Everything written, from address 0 on. Throws where room was taken and not written. */
  file(): Uint8Array<ArrayBuffer>;
}

/** @param start - the first address given */
export function memorySpace(
  start: number = 64,
  { offsetSize, lengthSize }: { readonly offsetSize: number; readonly lengthSize: number } = WIDTHS,
): MemorySpace {
  const blocks = new Map<number, { size: number; done: boolean }>();
  let bytes = new Uint8Array(1024);
  let end = start;
  return {
    offsetSize,
    lengthSize,
    blocks,
    allocate(size) {
      const address = end;
      blocks.set(address, { size, done: false });
      end += size;
      return address;
    },
    put(address, block) {
      const room = blocks.get(address);
      if (room === undefined || room.done || room.size !== block.length) throw new Error(`no such room at ${address}`);
      room.done = true;
      if (end > bytes.length) {
        const larger = new Uint8Array(2 * end);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(block, address);
    },
    file() {
      for (const [address, { done }] of blocks) if (!done) throw new Error(`nothing written at ${address}`);
      return bytes.slice(0, end);
    },
  };
}

const WIDTHS = { offsetSize: 8, lengthSize: 8 };
