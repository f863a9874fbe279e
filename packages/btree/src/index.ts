export { checkElementForm, type SlotElement } from "./array-block.ts";
export {
  type ChunkElement,
  decodeElementPage,
  type ElementForm,
  elementForm,
  encodeElementPage,
  sizeOfElementPage,
  storedSizeWidth,
} from "./chunk-element.ts";
export { type ChunkedDataset, readChunkIndex } from "./chunk-index.ts";
export { buildChunkIndex, type ChunkIndexChoice, chooseChunkIndex, type IndexedDataset } from "./chunk-index-build.ts";
export type { ChunkBox, ChunkLocation } from "./chunk-location.ts";
export {
  dataBlockOffsets,
  decodeExtensibleArrayDataBlock,
  decodeExtensibleArrayIndexBlock,
  decodeExtensibleArraySuperBlock,
  type ExtensibleArray,
  type ExtensibleArrayDataBlock,
  type ExtensibleArrayIndexBlock,
  type ExtensibleArraySuperBlock,
  encodeExtensibleArrayDataBlock,
  encodeExtensibleArrayIndexBlock,
  encodeExtensibleArraySuperBlock,
  extensibleArray,
  sizeOfExtensibleArrayDataBlock,
  sizeOfExtensibleArrayIndexBlock,
  sizeOfExtensibleArraySuperBlock,
} from "./extensible-array-blocks.ts";
export { buildExtensibleArray, extensibleArrayDefaults } from "./extensible-array-build.ts";
export {
  type ExtensibleArrayGeometry,
  extensibleArrayGeometry,
  type SuperBlockGeometry,
} from "./extensible-array-geometry.ts";
export {
  decodeExtensibleArrayHeader,
  type ExtensibleArrayHeader,
  type ExtensibleArrayStatistics,
  encodeExtensibleArrayHeader,
  sizeOfExtensibleArrayHeader,
} from "./extensible-array-header.ts";
export {
  decodeFixedArrayBlock,
  decodeFixedArrayHeader,
  encodeFixedArrayBlock,
  encodeFixedArrayHeader,
  type FixedArrayBlock,
  type FixedArrayHeader,
  fixedArrayPages,
  sizeOfFixedArrayBlock,
  sizeOfFixedArrayHeader,
} from "./fixed-array.ts";
export { buildFixedArray, type FixedArrayOptions } from "./fixed-array-build.ts";
export { chunkKeys, type V1ChunkKey } from "./v1-chunks.ts";
export { buildChunkTreeV1 } from "./v1-chunks-build.ts";
export {
  attemptGroupEntry,
  decodeSymbolTableNode,
  type EntryDecoder,
  encodeSymbolTableNode,
  findGroupEntry,
  type GroupEntry,
  groupKeys,
  readGroupEntries,
  sizeOfSymbolTableNode,
} from "./v1-group.ts";
export { buildGroupTree, type GroupTreeOptions } from "./v1-group-build.ts";
export { decodeV1Node, encodeV1Node, sizeOfV1Node, type V1KeyCodec, type V1Node } from "./v1-node.ts";
export { buildV2Tree, type V2TreeOptions } from "./v2-build.ts";
export {
  decodeV2Header,
  encodeV2Header,
  sizeOfV2Header,
  type V2Header,
  type V2Level,
  type V2NodePointer,
  v2Levels,
} from "./v2-header.ts";
export { findAttributeRecords, findLinkRecords } from "./v2-lookup.ts";
export { decodeV2Node, encodeV2Node, sizeOfV2Node, type V2Node } from "./v2-node.ts";
export {
  type AttributeRecord,
  attributeNameRecords,
  attributeOrderRecords,
  type ChunkRecord,
  chunkRecords,
  type HugeObjectRecord,
  hugeDirectRecords,
  hugeIndirectRecords,
  type LinkNameRecord,
  type LinkOrderRecord,
  linkNameRecords,
  linkOrderRecords,
  type NumberedHugeObjectRecord,
  type SharedMessageRecord,
  sharedMessageRecords,
  type V2RecordCodec,
  type V2RecordDecoder,
} from "./v2-records.ts";
export { readV2Header, readV2Records, recordsWhere, type V2Choice } from "./v2-walk.ts";
