export { abortable, inFlight, joinWork, PartSignals, type SharedWork, shareWork } from "./abort.ts";
export { ByteReader } from "./byte-reader.ts";
export {
  asBytes,
  type ByteRange,
  type ByteSource,
  bytesSource,
  checkRange,
  offsetSource,
  type SliceOptions,
} from "./byte-source.ts";
export { ByteWriter } from "./byte-writer.ts";
export {
  type CacheImageEntry,
  decodeCacheImageBlock,
  encodeCacheImageBlock,
  sizeOfCacheImageBlock,
} from "./cache-image-block.ts";
export { type CoalesceOptions, coalesce, type Extent, sliceBack } from "./coalesce.ts";
export { compareBytes, sortTexts, textOrder } from "./compare-bytes.ts";
export {
  atPath,
  type ErrorPlace,
  H5Error,
  type H5ErrorCode,
  InvalidArgumentError,
  InvalidFieldError,
  ioFailure,
  isH5Error,
  LimitExceededError,
  MissingFilterError,
  NotFoundError,
  SourceError,
  UnexpectedEofError,
  UnsupportedFeatureError,
} from "./errors.ts";
export { FieldReader } from "./field-reader.ts";
export { FieldWriter } from "./field-writer.ts";
export { type FileSpace, place } from "./file-space.ts";
export type { HeaderMessage, MessageContent } from "./header-message.ts";
export { checkLimit, defaultLimits, type Limits } from "./limits.ts";
export { appendChecksum, checksumText, lookup3, verifyChecksum } from "./lookup3.ts";
export { LruMap } from "./lru-map.ts";
export { checkMessageFlags, isKnownMessage, messageFlag, messageName, messageType } from "./message-type.ts";
export {
  type AttributeContent,
  type AttributeFrame,
  decodeAttribute,
  encodeAttribute,
  sizeOfAttribute,
} from "./messages/attribute.ts";
export { type BtreeK, decodeBtreeK, encodeBtreeK, sizeOfBtreeK } from "./messages/btree-k.ts";
export { type CacheImage, decodeCacheImage, encodeCacheImage, sizeOfCacheImage } from "./messages/cache-image.ts";
export type { CharacterSet } from "./messages/character-set.ts";
export type { ChunkIndex, ExtensibleArrayParameters } from "./messages/chunk-index.ts";
export { type ChunkedLayout, layoutFlag } from "./messages/chunked-layout.ts";
export { decodeComment, encodeComment, sizeOfComment } from "./messages/comment.ts";
export {
  type Continuation,
  decodeContinuation,
  encodeContinuation,
  sizeOfContinuation,
} from "./messages/continuation.ts";
export {
  type DenseStorage,
  decodeAttributeInfo,
  decodeLinkInfo,
  encodeAttributeInfo,
  encodeLinkInfo,
  sizeOfAttributeInfo,
  sizeOfLinkInfo,
} from "./messages/dense-storage.ts";
export {
  type DriverInfo,
  decodeDriverInfo,
  decodeDriverInfoBlock,
  encodeDriverInfo,
  encodeDriverInfoBlock,
  sizeOfDriverInfo,
  sizeOfDriverInfoBlock,
} from "./messages/driver-info.ts";
export {
  decodeExternalFiles,
  type ExternalFileSlot,
  type ExternalFiles,
  encodeExternalFiles,
  sizeOfExternalFiles,
} from "./messages/external-files.ts";
export {
  decodeFileSpaceInfo,
  encodeFileSpaceInfo,
  type FileSpaceInfo,
  sizeOfFileSpaceInfo,
} from "./messages/file-space-info.ts";
export {
  decodeFillValue,
  decodeOldFillValue,
  encodeFillValue,
  encodeOldFillValue,
  type FillValue,
  sizeOfFillValue,
} from "./messages/fill-value.ts";
export {
  decodeGroupInfo,
  decodeSymbolTableMessage,
  encodeGroupInfo,
  encodeSymbolTableMessage,
  type GroupInfo,
  type SymbolTable,
  sizeOfGroupInfo,
  sizeOfSymbolTableMessage,
} from "./messages/group.ts";
export {
  type CompactLayout,
  type ContiguousLayout,
  decodeLayout,
  encodeLayout,
  type Layout,
  sizeOfLayout,
  type VirtualLayout,
} from "./messages/layout.ts";
export {
  decodeLink,
  decodeLinkName,
  encodeLink,
  type Link,
  type LinkTarget,
  linkFlag,
  linkFlags,
  sizeOfLink,
} from "./messages/link.ts";
export {
  decodeModificationTime,
  decodeOldModificationTime,
  encodeModificationTime,
  encodeOldModificationTime,
  sizeOfModificationTime,
  sizeOfOldModificationTime,
} from "./messages/modification-time.ts";
export { decodeReferenceCount, encodeReferenceCount, sizeOfReferenceCount } from "./messages/reference-count.ts";
export {
  decodeSharedMessage,
  encodeSharedMessage,
  type SharedMessage,
  sizeOfSharedMessage,
} from "./messages/shared.ts";
export {
  decodeSharedMessageTable,
  encodeSharedMessageTable,
  type SharedMessageTable,
  sizeOfSharedMessageTable,
} from "./messages/shared-message-table.ts";
export { type ObjectHeader, readObjectHeader } from "./object-header.ts";
export {
  decodeMessagesV1,
  decodeObjectHeaderV1Prefix,
  encodeMessagesV1,
  encodeObjectHeaderV1,
  type ObjectHeaderV1,
  type ObjectHeaderV1Prefix,
  sizeOfMessagesV1,
  sizeOfObjectHeaderV1,
} from "./object-header-v1.ts";
export {
  type AttributePhaseChange,
  chunkSizeFlag,
  decodeContinuationV2,
  decodeMessagesV2,
  decodeObjectHeaderV2Prefix,
  encodeContinuationV2,
  encodeObjectHeaderV2,
  type MessageBlock,
  type ObjectHeaderV2,
  type ObjectHeaderV2Prefix,
  type ObjectTimes,
  objectHeaderFlag,
  sizeOfContinuationV2,
  sizeOfObjectHeaderV2,
} from "./object-header-v2.ts";
export { type Attempt, all, attempt, attemptNow, type Need, need, needSized, type Plan, wait } from "./plan.ts";
export { readRange, readRangeInto, run, runSync } from "./run.ts";
export { SharedMap } from "./shared-map.ts";
export { type BlobLike, blobSource } from "./source/blob.ts";
export { type CachedSourceOptions, cachedSource } from "./source/cached.ts";
export { type HttpFetch, type HttpResponse, type HttpSourceOptions, httpSource } from "./source/http.ts";
export { type Overlay, overlaySource } from "./source/overlay.ts";
export {
  consistencyFlag,
  decodeSuperblock,
  encodeSuperblock,
  endOfFile,
  locateSuperblock,
  type Superblock,
  sizeOfSuperblock,
} from "./superblock.ts";
export {
  decodeSymbolTableEntry,
  encodeSymbolTableEntry,
  type SymbolTableEntry,
  sizeOfSymbolTableEntry,
} from "./symbol-table-entry.ts";
export { decodeText, decodeUtf8, encodeText, sizeOfText } from "./text.ts";
export { decodeFlags, decodeVersion } from "./version-and-flags.ts";
export { inAddressOrder, visitOnce } from "./walk.ts";
export { bytesFor, checkWidth, type FileContext, type KeptStructures, log2Floor, type Widths } from "./widths.ts";
