import { bytesSource, defaultLimits, type FileContext, type FileSpace, type Plan, runSync } from "@h5/framing";
import { memorySpace as emptySpace, type MemorySpace as WrittenSpace } from "@h5/testing";
import { expect } from "vitest";
import type { Fixture } from "./fixture.ts";

/** A file in memory being written, which plans can read back. */
export interface MemorySpace extends WrittenSpace {
  read<T>(plan: (context: FileContext) => Plan<T>): T;
}

/** The same arguments as those of the testing package's. */
export function memorySpace(...options: Parameters<typeof emptySpace>): MemorySpace {
  const space = emptySpace(...options);
  const context = { offsetSize: space.offsetSize, lengthSize: space.lengthSize, limits: defaultLimits };
  return { ...space, read: (plan) => runSync(plan(context), bytesSource(space.file())) };
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
