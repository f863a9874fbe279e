import { type ErrorPlace, LimitExceededError } from "./errors.ts";

/**
 * Bounds on what a file may make a reader do. A file that needs more is refused with `LimitExceededError`, which names
 * the member to raise; nothing is cut short silently.
 */
export interface Limits {
  /** Bytes of one metadata structure (an object header chunk, a heap, a node). */
  readonly metadataBytes: number;
  /** Messages of one object header, over all its continuations. */
  readonly headerMessages: number;
  /** Continuation blocks of one object header. */
  readonly continuations: number;
  /** Levels of a B-tree or heap. */
  readonly treeDepth: number;
  /** Nodes and blocks visited by one walk of a tree, index or heap. */
  readonly nodes: number;
  /** Blocks, or parts of a grid, that a selection is spelled out as. */
  readonly selectionBlocks: number;
  /** Links followed to resolve one path. */
  readonly linkDepth: number;
  /** Nesting of a datatype. */
  readonly datatypeDepth: number;
  /**
   * Bytes of one read's result, each sequence and string of variable length as often as it is in it. Those that a virtual
   * dataset converts are bounded by themselves.
   */
  readonly readBytes: number;
  /** Elements of the sequences, and characters of the strings, of variable length in one read's result. */
  readonly vlenElements: number;
  /** Bytes of one chunk, stored or decoded. */
  readonly chunkBytes: number;
  /** Bytes that a filter of a chunk, or of a heap block, may give beyond what the chunk holds once decoded. */
  readonly chunkExcess: number;
  /** Characters of the name of a link, an attribute or a datatype's member. */
  readonly nameLength: number;
  /** Objects and links a listing or walk may give. */
  readonly objects: number;
  /** Other files looked for, found or not, and blocks that a printf-style virtual mapping is followed through. */
  readonly files: number;
  /** Requests made to the sources of a file and of those it leads to, as long as it is open; none for what is in memory. */
  readonly requests: number;
  /** Bytes that these ask for, together. */
  readonly sourceBytes: number;
}

/** The limits in force where the caller sets none. */
export const defaultLimits: Limits = {
  metadataBytes: 268435456,
  headerMessages: 1000000,
  continuations: 65536,
  treeDepth: 256,
  nodes: 10000000,
  selectionBlocks: 262144,
  linkDepth: 64,
  datatypeDepth: 64,
  readBytes: 17179869184,
  vlenElements: 1000000000,
  chunkBytes: 2147483648,
  chunkExcess: 16777216,
  nameLength: 1048576,
  objects: 10000000,
  files: 1024,
  requests: 1000000000,
  sourceBytes: 1125899906842624,
};

/** Throws `LimitExceededError` when `value` is above the limit named `limit`. */
export function checkLimit(limits: Limits, limit: keyof Limits, value: number, place?: ErrorPlace): void {
  if (value > limits[limit]) throw new LimitExceededError(limit, limits[limit], value, place);
}
