import { hasAddresses } from "@h5/datatypes";
import { encodeLayout, InvalidArgumentError, type Layout, messageType, sizeOfLayout } from "@h5/framing";
import { dataspaceElementCount } from "@h5/selection";
import type { BlockStream } from "../data/block-stream.ts";
import { filled } from "../data/fill.ts";
import type { DatasetModel, WholeStorage } from "../model/objects.ts";
import { placeElements } from "../model/placement.ts";
import type { WriteContext } from "./context.ts";
import { type PlannedMessage, plainMessage } from "./object-header.ts";
import type { Part, PartSteps } from "./part.ts";
import { placedBlocks } from "./placed-blocks.ts";

/** Whole elements in memory. */
type Stored = Exclude<WholeStorage["data"], BlockStream>;

/** The layout message, whose size does not depend on addresses. */
export function layoutMessage(layout: () => Layout, { space }: WriteContext): PlannedMessage {
  const size = sizeOfLayout(layout(), space);
  return { type: messageType.layout, flags: 0, size, body: () => encodeLayout(layout(), space) };
}

/** Elements in the layout message itself (spec IV.A.2.i, "Compact Storage"). */
export function compactPart(dataset: DatasetModel, { data }: WholeStorage, context: WriteContext): Part {
  const count = dataspaceElementCount(dataset.space);
  const size = count * dataset.datatype.size;
  const measured = { class: "compact", version: 3, data: new Uint8Array(size) } as const;
  const body = (): Uint8Array<ArrayBuffer> => {
    const elements = wholeOf(dataset, data as Stored);
    const bytes = elements?.slice() ?? filled(count, dataset.datatype.size, dataset.fill.value);
    placeElements(dataset.datatype, bytes, count, context);
    return encodeLayout({ ...measured, data: bytes }, context.space);
  };
  if (!hasAddresses(dataset.datatype)) return { messages: [plainMessage(messageType.layout, body())] };
  return { messages: [{ type: messageType.layout, flags: 0, size: sizeOfLayout(measured, context.space), body }] };
}

function wholeOf({ space: { shape } }: DatasetModel, data: Stored): Uint8Array<ArrayBuffer> | undefined {
  return data instanceof Uint8Array ? data : data?.elements({ start: shape.map(() => 0), shape });
}

/** Elements in one piece (spec IV.A.2.i, "Contiguous Storage"). */
export function contiguousPart(dataset: DatasetModel, { data }: WholeStorage, context: WriteContext): Part {
  const elements = new ContiguousElements(dataset, data, context);
  return { messages: [elements], steps: elements };
}

/** Elements that get a place of their own, and the layout message that leads there: one object, for there may be very many. */
class ContiguousElements implements PartSteps, PlannedMessage {
  readonly size: number;
  readonly #dataset: DatasetModel;
  readonly #data: WholeStorage["data"];
  readonly #context: WriteContext;
  #address: number | undefined;

  constructor(dataset: DatasetModel, data: WholeStorage["data"], context: WriteContext) {
    this.#dataset = dataset;
    this.#data = data;
    this.#context = context;
    this.size = sizeOfLayout(this.#layout, context.space);
  }

  get type(): number {
    return messageType.layout;
  }

  get flags(): number {
    return 0;
  }

  get #layout(): Layout {
    return { class: "contiguous", version: 3, address: this.#address, size: this.#bytes };
  }

  /** Bytes of the elements. */
  get #bytes(): number {
    return dataspaceElementCount(this.#dataset.space) * this.#dataset.datatype.size;
  }

  body(): Uint8Array<ArrayBuffer> {
    return encodeLayout(this.#layout, this.#context.space);
  }

  writeElements(): Promise<void> | undefined {
    const data = this.#data;
    if (isBlockStream(data)) return this.#writeStream(data);
    if (this.#bytes > 0) this.#address = writeWhole(this.#dataset, data, this.#context);
    return undefined;
  }

  async #writeStream(data: BlockStream): Promise<void> {
    const address = await writeStream(this.#dataset, data, this.#bytes, this.#context);
    // Libhdf5 since 1.14 refuses elements that have a place but no size (H5Dcontig.c, `H5D__contig_init`).
    if (this.#bytes > 0) this.#address = address;
  }
}

/** The error for data that comes as blocks and whose stored size nothing tells beforehand. */
export function cannotStream(path: string): InvalidArgumentError {
  const reason = "the sink cannot seek, and only contiguous data of fixed size may come as blocks then";
  return new InvalidArgumentError(`${reason}: give the data at once, or a sink that can seek`, { path });
}

function isBlockStream(data: WholeStorage["data"]): data is BlockStream {
  return data !== undefined && "kind" in data && data.kind === "stream";
}

/** Elements that nobody wrote are not stored, unless room is asked for at once. */
function writeWhole(dataset: DatasetModel, data: Stored, context: WriteContext): number | undefined {
  const { datatype, fill, space } = dataset;
  const count = dataspaceElementCount(space);
  const elements = wholeOf(dataset, data);
  if (elements === undefined && fill.allocationTime !== "early") return undefined;
  let bytes = elements ?? filled(count, datatype.size, fill.value);
  if (hasAddresses(datatype)) {
    bytes = bytes.slice();
    placeElements(datatype, bytes, count, context);
  }
  const address = context.space.allocate(bytes.length);
  context.space.put(address, bytes);
  return address;
}

async function writeStream(
  dataset: DatasetModel,
  stream: BlockStream,
  size: number,
  context: WriteContext,
): Promise<number> {
  const path = context.pathOf(dataset);
  const address = context.space.allocate(size);
  if (context.dry) {
    if (hasAddresses(dataset.datatype)) throw cannotStream(path);
    return address;
  }
  let at = address;
  for await (const block of placedBlocks(dataset, stream, context)) {
    if (block.chunk !== undefined) throw new InvalidArgumentError("a chunk for a dataset that has none", { path });
    if (at + block.bytes.length > address + size) {
      throw new InvalidArgumentError(`more data than the ${size} bytes of shape [${dataset.space.shape}]`, { path });
    }
    context.space.put(at, block.bytes);
    at += block.bytes.length;
  }
  if (at !== address + size) {
    const got = `${at - address} bytes of data for shape [${dataset.space.shape}]`;
    throw new InvalidArgumentError(`${got}, expected ${size}`, { path });
  }
  return address;
}
