/** Bytes of which only the blocks that are not all zeros are in memory, under names that `Uint8Array` and `ByteSink` have. */
export interface SparseBytes {
  readonly length: number;
  /** Bytes `[start, min(end, length))`. */
  slice(start: number, end: number): Uint8Array<ArrayBuffer>;
  write(position: number, bytes: Uint8Array): void;
}

const BLOCK = 4096;
const ZEROS = new Uint8Array(BLOCK);

/**
 * @param length - zeros to begin with; writing past them makes more
 * @param rest - gives what there is in place of the zeros from `address` on
 */
export function sparseBytes(length: number = 0, rest?: (address: number, target: Uint8Array) => void): SparseBytes {
  const blocks = new Map<number, Uint8Array>();
  let end = length;
  const writeBlock = (number: number, at: number, bytes: Uint8Array): void => {
    const block = blocks.get(number);
    if (block !== undefined) block.set(bytes, at);
    else if (Buffer.compare(bytes, ZEROS.subarray(0, bytes.length)) !== 0) {
      const made = new Uint8Array(BLOCK);
      made.set(bytes, at);
      blocks.set(number, made);
    }
  };
  return {
    get length() {
      return end;
    },
    slice(start, stop) {
      const bytes = new Uint8Array(Math.max(0, Math.min(stop, end) - start));
      rest?.(start, bytes);
      for (let number = Math.floor(start / BLOCK); number * BLOCK < start + bytes.length; number++) {
        const [block, at] = [blocks.get(number), number * BLOCK - start];
        if (block === undefined) continue;
        bytes.set(block.subarray(Math.max(0, -at), bytes.length - at), Math.max(0, at));
      }
      return bytes;
    },
    write(position, bytes) {
      for (let done = 0; done < bytes.length; ) {
        const at = (position + done) % BLOCK;
        const part = bytes.subarray(done, done + BLOCK - at);
        writeBlock(Math.floor((position + done) / BLOCK), at, part);
        done += part.length;
      }
      end = Math.max(end, position + bytes.length);
    },
  };
}
