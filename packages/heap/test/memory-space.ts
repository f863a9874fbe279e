import { bytesSource, defaultLimits, type FileContext, type FileSpace, type Plan, runSync } from "@h5/framing";

/** A file in memory being written, which can be read back. Blocks must be put once each, whole, where room was taken. */
export interface MemorySpace extends FileSpace {
  /** Everything written, from address 0 on. Throws where room was taken and not written. */
  file(): Uint8Array<ArrayBuffer>;
  /** Runs a plan over everything written. */
  read<T>(plan: (context: FileContext) => Plan<T>): T;
}

/** A file whose first addresses are given by `start`. */
export function memorySpace(
  start: number = 64,
  widths: { offsetSize: number; lengthSize: number } = EIGHTS,
): MemorySpace {
  const open = new Map<number, number>();
  let bytes = new Uint8Array(1024);
  let end = start;
  const space: MemorySpace = {
    ...widths,
    allocate(size) {
      const address = end;
      open.set(address, size);
      end += size;
      return address;
    },
    put(address, block) {
      if (open.get(address) !== block.length) throw new Error(`no room of ${block.length} bytes at ${address}`);
      open.delete(address);
      if (end > bytes.length) {
        const larger = new Uint8Array(2 * end);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(block, address);
    },
    file() {
      if (open.size > 0) throw new Error(`nothing written at ${[...open.keys()]}`);
      return bytes.subarray(0, end);
    },
    read: (plan) => runSync(plan({ ...widths, limits: defaultLimits }), bytesSource(space.file())),
  };
  return space;
}

const EIGHTS = { offsetSize: 8, lengthSize: 8 };
