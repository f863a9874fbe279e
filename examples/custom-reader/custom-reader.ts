// A reader for one purpose, composed from the lower packages without @h5/reader: it lists the links of the root group and
// reads one chunked dataset of numbers, whole. It knows old-style groups (symbol tables) and nothing it does not need,
// so a bundle of it is a fraction of the full reader's.
import { readChunkIndex, readGroupEntries } from "@h5/btree";
import { decodeDatatype, decodeValues } from "@h5/datatypes";
import { applyDecoders, decodeFilterPipeline } from "@h5/filters";
import { deflateDecoder } from "@h5/filters/inflate";
import { shuffleDecoder } from "@h5/filters/shuffle";
import {
  type ByteSource,
  decodeLayout,
  decodeSymbolTableMessage,
  defaultLimits,
  type FileContext,
  locateSuperblock,
  messageType,
  type ObjectHeader,
  offsetSource,
  type Plan,
  readObjectHeader,
  readRange,
  run,
} from "@h5/framing";
import { localHeapString, readLocalHeap } from "@h5/heap";
import { copyChunk, decodeDataspace, elementCount, projectChunk, resolveSelection } from "@h5/selection";

/** An open file: its bytes from the superblock on, and what every plan must know of it. */
export interface CustomFile {
  readonly source: ByteSource;
  readonly context: FileContext;
  readonly rootAddress: number;
}

export async function openFile(source: ByteSource): Promise<CustomFile> {
  const { superblock, address } = await run(locateSuperblock(), source);
  const { offsetSize, lengthSize, rootAddress } = superblock;
  return {
    source: offsetSource(source, address),
    context: { offsetSize, lengthSize, limits: defaultLimits },
    rootAddress,
  };
}

/** Names of the root group's links, with the addresses of the objects they lead to. */
export function listRoot({ source, context, rootAddress }: CustomFile): Promise<Map<string, number>> {
  return run(linksOf(context, rootAddress), source);
}

function* linksOf(context: FileContext, address: number): Plan<Map<string, number>> {
  const group = yield* readObjectHeader(context, address);
  const table = messageOf(group, messageType.symbolTable);
  const { btreeAddress, heapAddress } = decodeSymbolTableMessage(table.body, context, table.address);
  const heap = yield* readLocalHeap(context, heapAddress);
  const entries = yield* readGroupEntries(context, btreeAddress);
  return new Map(entries.map(({ nameOffset, headerAddress }) => [localHeapString(heap, nameOffset), headerAddress!]));
}

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
