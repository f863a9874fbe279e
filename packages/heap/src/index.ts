export {
  blockAt,
  blockOffset,
  type DoublingTable,
  type DoublingTableParameters,
  doublingTable,
  indirectRows,
  rowBlockSize,
} from "./doubling-table.ts";
export {
  decodeFractalDirectBlock,
  decodeFractalIndirectBlock,
  encodeFractalDirectBlock,
  encodeFractalIndirectBlock,
  type FractalBlockEntry,
  type FractalDirectBlock,
  type FractalHeapOwner,
  type FractalIndirectBlock,
  sizeOfDirectPrefix,
  sizeOfFractalIndirectBlock,
} from "./fractal-blocks.ts";
export {
  attributeHeap,
  type BuiltFractalHeap,
  buildFractalHeap,
  type FractalHeapParameters,
  linkHeap,
  sharedMessageHeap,
} from "./fractal-build.ts";
export {
  decodeFractalHeapHeader,
  encodeFractalHeapHeader,
  type FractalHeapFilter,
  type FractalHeapHeader,
  type FractalHeapStatistics,
  heapLengthWidth,
  heapOffsetWidth,
  sizeOfFractalHeapHeader,
} from "./fractal-header.ts";
export {
  decodeFractalHeapId,
  encodeFractalHeapId,
  type FractalHeapId,
  fractalHeapIdReader,
} from "./fractal-heap-id.ts";
export {
  attemptFractalHeapObjects,
  type FractalHeap,
  fractalHeapObject,
  fractalHeapObjects,
  readFractalHeap,
  type Unfilter,
  type VisitObject,
  visitFractalHeapObjects,
} from "./fractal-lookup.ts";
export {
  decodeGlobalHeapCollection,
  decodeGlobalHeapSpans,
  encodeGlobalHeapCollection,
  encodeGlobalHeapHeader,
  type GlobalHeapCollection,
  type GlobalHeapObject,
  type GlobalHeapSpans,
  globalHeapObject,
  globalHeapSpan,
  readGlobalHeapCollection,
  readGlobalHeapSpans,
  sizeOfGlobalHeapHeader,
  sizeOfGlobalHeapObject,
} from "./global-heap.ts";
export {
  decodeLocalHeapFreeList,
  decodeLocalHeapHeader,
  encodeLocalHeapHeader,
  encodeLocalHeapSegment,
  type LocalHeap,
  type LocalHeapFreeBlock,
  type LocalHeapHeader,
  localHeapBytes,
  localHeapString,
  readLocalHeap,
  sizeOfLocalHeapHeader,
} from "./local-heap.ts";
export { type BuiltLocalHeap, buildLocalHeap } from "./local-heap-build.ts";
export {
  decodeSharedMessageList,
  decodeSharedMessageTable,
  encodeSharedMessageList,
  encodeSharedMessageTable,
  findSharedMessage,
  readSharedMessageHeap,
  readSharedMessageRecords,
  readSharedMessageTable,
  type SharedMessageIndex,
  sizeOfSharedMessageList,
  sizeOfSharedMessageTable,
} from "./shared-messages.ts";
export {
  type BuiltSharedMessages,
  buildSharedMessages,
  buildSharedMessageTable,
  type MessageToShare,
  type SharedMessageOptions,
} from "./shared-messages-build.ts";
