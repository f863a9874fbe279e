import { bytesSource, defaultLimits, type FileContext, type FileSpace, type Plan, runSync } from "@h5/framing";
import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";

/** A file in memory being written, which can be read back. Blocks must be put once each, whole, where room was taken. */
export interface MemorySpace extends FileSpace {
  /** Blocks with room, and whether they have been put. */
  readonly blocks: ReadonlyMap<number, { readonly size: number; readonly done: boolean }>;
  /** Everything written, from address 0 on. Throws where room was taken and not written. */
  file(): Uint8Array<ArrayBuffer>;
  read<T>(plan: (context: FileContext) => Plan<T>): T;
}

/** @param start - the first address given */
export function memorySpace(start: number = 64): MemorySpace {
  const blocks = new Map<number, { size: number; done: boolean }>();
  let bytes = new Uint8Array(1024);
  let end = start;
  const space: MemorySpace = {
    offsetSize: 8,
    lengthSize: 8,
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
    read: (plan) => runSync(plan({ offsetSize: 8, lengthSize: 8, limits: defaultLimits }), bytesSource(space.file())),
  };
  return space;
}

/**
 * Gives the addresses that libhdf5 gave in a fixture, in the order they are asked for, and expects the very bytes that
 * it put there.
 */
export function replaySpace({ bytes, context }: Fixture, addresses: readonly number[]): FileSpace & { finish(): void } {
  const open = new Map<number, number>();
  let next = 0;
  return {
    offsetSize: context.offsetSize,
    lengthSize: context.lengthSize,
    allocate(size) {
      const address = addresses[next++];
      if (address === undefined) throw new Error(`a block of ${size} bytes that libhdf5 did not make`);
      open.set(address, size);
      return address;
    },
    put(address, block) {
      expect(block.length).toBe(open.get(address));
      open.delete(address);
      expect(block).toEqual(bytes.slice(address, address + block.length));
    },
    finish() {
      expect(open.size).toBe(0);
      expect(next).toBe(addresses.length);
    },
  };
}
