export { boxesOf, isUnlimited, type SelectedBox, selectedCoordinates, selectionCount } from "./boxes.ts";
export { checkSelection } from "./check-selection.ts";
export { type ChunkBox, chunkBoxOf, type Projection, type ProjectionAxis, projectChunk } from "./chunk-grid.ts";
export { copyChunk, copyRuns, fillChunk, fillRuns, forEachRun, type RunVisitor } from "./copy-runs.ts";
export {
  type Dataspace,
  dataspaceElementCount,
  decodeDataspace,
  elementCount,
  encodeDataspace,
  MAX_RANK,
  sizeOfDataspace,
} from "./dataspace.ts";
export { type DecodedSelection, decodeSelection, encodeSelection, sizeOfSelection } from "./encoded-selection.ts";
export { checkExtent, selectionBounds } from "./extent.ts";
export { regularAxes } from "./regular-axes.ts";
export { type Box, forEachPointRun, forEachRunBetween, forEachSelectedRun, forEachSpanRun } from "./runs.ts";
export {
  clipSelection,
  intersectSelection,
  type SelectionLimits,
  type SpanSelection,
  spansOf,
} from "./selected-spans.ts";
export {
  type BlockHyperslab,
  type Hyperslab,
  type HyperslabBlock,
  type PointSelection,
  type RegularHyperslab,
  rankOf,
  type Selection,
  UNLIMITED,
  type WireForm,
} from "./selection.ts";
export { type ChunkPart, projectSelection } from "./selection-chunks.ts";
export { type Axis, type AxisSelection, resolveSelection, type Sel, type Slice, slice } from "./slice.ts";
export type { Span, Spans } from "./spans.ts";
export {
  clipUnlimited,
  sizeOfSlices,
  slicesWithin,
  type UnlimitedHyperslab,
  unlimitedBlock,
  unlimitedOf,
} from "./unlimited.ts";
export {
  decodeVirtualMappings,
  encodeVirtualMappings,
  mappingFlag,
  type VirtualMapping,
  type VirtualMappings,
} from "./virtual-mappings.ts";
export type { EncodeSelectionOptions, LowBound } from "./wire-form.ts";
