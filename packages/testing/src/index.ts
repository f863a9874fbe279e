export { addresses, names, shapes } from "./arbitraries.ts";
export { type CountedRead, type CountingSource, countingSource } from "./counting-source.ts";
export { fixtureBytes, fixturePath } from "./fixtures.ts";
export { flips, type Mutant, patched, sample, truncations } from "./hostile-bytes.ts";
export { type MemorySpace, memorySpace } from "./memory-space.ts";
export { type RepeatingBytes, repeatingBytes } from "./repeating-bytes.ts";
export { type SparseBytes, sparseBytes } from "./sparse-bytes.ts";
