import { bytesSource, defaultLimits, type FileContext, type Plan, runSync } from "@h5/framing";
import { memorySpace as emptySpace, type MemorySpace as WrittenSpace } from "@h5/testing";

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
