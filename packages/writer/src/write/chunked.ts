import { buildChunkIndex, chooseChunkIndex } from "@h5/btree";
import { encodeFilterPipeline } from "@h5/filters";
import { type ChunkedLayout, layoutFlag, messageFlag, messageType } from "@h5/framing";
import { planPipeline } from "../filters/pipeline.ts";
import { type ChunkedStorage, type DatasetModel, fillBytes } from "../model/objects.ts";
import { writeStoredChunks, writeStreamedChunks } from "./chunk-sources.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import type { WriteContext } from "./context.ts";
import { layoutMessage } from "./contiguous.ts";
import { plainMessage } from "./object-header.ts";
import type { Part } from "./part.ts";

/** A fixed array has a slot for each chunk of the maximum shape: with more than this it would be the larger part of a file. */
const MOST_SLOTS = 16777216;

/** Creation parameters of the indexes, as libhdf5 has them by default (H5Dpkg.h). */
const parameters = {
  btree1: { kind: "btree1" },
  single: { kind: "single" },
  implicit: { kind: "implicit" },
  farray: { kind: "farray", pageBits: 10 },
  earray: { kind: "earray", maxBits: 32, indexElements: 4, minPointers: 4, minElements: 16, pageBits: 10 },
  btree2: { kind: "btree2", nodeSize: 2048, splitPercent: 100, mergePercent: 40 },
} as const;

/** Elements in chunks, found through an index (spec IV.A.2.i, "Chunked Storage"). */
export function chunkedPart(dataset: DatasetModel, storage: ChunkedStorage, context: WriteContext): Part {
  const { data, chunkShape } = storage;
  const { datatype } = dataset;
  const pipeline = planPipeline(storage.filters, { datatype, chunkShape, fill: fillBytes(dataset) });
  const filtered = pipeline.filters.length > 0;
  let layout = layoutOf(dataset, storage, filtered, context);
  const { kind } = layout.index;
  const writer = new ChunkWriter(dataset, storage, pipeline, kind, context);
  const messages = [layoutMessage(() => layout, context)];
  if (filtered) {
    const body = encodeFilterPipeline({ version: context.model.earliest ? 1 : 2, filters: pipeline.filters });
    messages.push(context.share(plainMessage(messageType.filterPipeline, body, messageFlag.constant)));
  }
  return {
    messages,
    steps: {
      writeElements: () =>
        data.kind === "stream" ? writeStreamedChunks(writer, data, context) : writeStoredChunks(writer, data, context),
      index(space) {
        const { shape, maxShape } = dataset.space;
        const { version, elementSize } = layout;
        const described = { shape, maxShape, chunkShape, elementSize, filtered, layoutVersion: version as 3 | 4 | 5 };
        const index = buildChunkIndex(space, kind, described, writer.locations());
        layout = { ...layout, index };
      },
    },
  };
}

function layoutOf(
  { datatype, space, fill }: DatasetModel,
  { chunkShape, unfilteredEdges }: ChunkedStorage,
  filtered: boolean,
  { model }: WriteContext,
): ChunkedLayout {
  const earlyAllocation = fill.allocationTime === "early";
  const { shape, maxShape } = space;
  const usual = chooseChunkIndex({ shape, maxShape, chunkShape, filtered, earlyAllocation });
  // Without end where an axis has none: no whole number may be asked for.
  const slots = maxShape.reduce((product, size, d) => product * Math.ceil(size / chunkShape[d]!), 1);
  // The older index, which every library reads, takes no room for chunks that are not there.
  const old = model.earliest || (usual === "farray" && slots > MOST_SLOTS);
  const kind = old ? "btree1" : usual;
  const single = kind === "single" && filtered ? layoutFlag.filteredSingle : 0;
  return {
    class: "chunked",
    version: old ? 3 : filtered && model.v200 ? 5 : 4,
    chunkShape,
    elementSize: datatype.size,
    flags: single | (unfilteredEdges ? layoutFlag.unfilteredEdges : 0),
    index: parameters[kind],
  };
}
