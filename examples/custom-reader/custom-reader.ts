// A reader for one purpose, composed from the lower packages without @h5/reader: it reads one chunked dataset of numbers,
// whole, of a group that list-groups.ts lists. It knows nothing it does not need, so a bundle of it is a fraction of the
// full reader's.
import { readChunkIndex } from "@h5/btree";
import { decodeDatatype, decodeValues } from "@h5/datatypes";
import { applyDecoders, decodeFilterPipeline } from "@h5/filters";
import { deflateDecoder } from "@h5/filters/inflate";
import { shuffleDecoder } from "@h5/filters/shuffle";
import {
  decodeLayout,
  defaultLimits,
  messageType,
  type ObjectHeader,
  readObjectHeader,
  readRange,
  run,
} from "@h5/framing";
import { copyChunk, decodeDataspace, elementCount, projectChunk, resolveSelection } from "@h5/selection";
import type { CustomFile } from "./list-groups.ts";

/** All values of the chunked dataset whose object header is at `address`, row-major, as a typed array. */
export async function readChunked({ source, context }: CustomFile, address: number): Promise<unknown> {
  const header = await run(readObjectHeader(context, address), source);
  const body = (type: number): Uint8Array => messageOf(header, type).body;
  const datatype = decodeDatatype(body(messageType.datatype));
  const { shape, maxShape } = decodeDataspace(body(messageType.dataspace), context);
  const layout = decodeLayout(body(messageType.layout), context);
  if (layout.class !== "chunked") throw new Error("this reader knows chunked datasets alone");
  const { filters } = decodeFilterPipeline(body(messageType.filterPipeline));

  const everything = resolveSelection(null, shape);
  const expectedBytes = elementCount(layout.chunkShape) * datatype.size;
  const decoding = { expectedBytes, maxBytes: defaultLimits.chunkBytes };
  const values = new Uint8Array(elementCount(shape) * datatype.size);
  const index = readChunkIndex(context, { layout, shape, maxShape, filtered: true });
  for (const { coordinate, address: start, size, filterMask } of await run(index, source)) {
    const stored = await readRange(source, { start, end: start + size });
    const chunk = await applyDecoders(stored, filters, filterMask, [deflateDecoder, shuffleDecoder], decoding);
    const projection = projectChunk(everything, coordinate, layout.chunkShape);
    if (projection !== undefined) copyChunk(projection, chunk, values, datatype.size);
  }
  return decodeValues(datatype, values, elementCount(shape));
}

function messageOf(header: ObjectHeader, type: number): ObjectHeader["messages"][number] {
  const message = header.messages.find((candidate) => candidate.type === type);
  if (message === undefined) throw new Error(`no message of type ${type}: this reader does not know such objects`);
  return message;
}
