import type { ChunkLocation } from "@h5/btree";
import { hasAddresses } from "@h5/datatypes";
import { applyEncoders, type EncodedChunk } from "@h5/filters";
import { type ChunkIndex, InvalidArgumentError } from "@h5/framing";
import { elementCount } from "@h5/selection";
import { cellsOf, compareCells, sticksOut } from "../data/block-store.ts";
import type { ElementBox } from "../data/box.ts";
import { filled, isFilled } from "../data/fill.ts";
import type { PlannedPipeline } from "../filters/pipeline.ts";
import type { ChunkedStorage, DatasetModel } from "../model/objects.ts";
import { ChunkFlight } from "./chunk-flight.ts";
import { ChunkList } from "./chunk-list.ts";
import type { WriteContext } from "./context.ts";

/** Chunks of a dataset that stores them all, whatever is in them: beyond this the shape is a mistake. */
const MOST_FILLED = 16777216;

/** Writes the chunks of one dataset, each as it comes, and keeps where they are. */
export class ChunkWriter {
  readonly dataset: DatasetModel;
  readonly chunkShape: readonly number[];
  /** Whether chunks that hold nothing but the fill value are stored too. */
  readonly storesAll: boolean;
  readonly path: string;
  /** Bytes of the elements of a chunk. */
  readonly chunkBytes: number;
  readonly #pipeline: PlannedPipeline;
  readonly #unfilteredEdges: boolean;
  readonly #indexKind: ChunkIndex["kind"];
  readonly #context: WriteContext;
  /** Chunks on their way to be stored. */
  readonly #flight: ChunkFlight;
  readonly #stored: ChunkList;
  /** Chunks of the implicit index follow one another from here on. */
  #implicitAddress: number | undefined;

  constructor(
    dataset: DatasetModel,
    storage: ChunkedStorage,
    pipeline: PlannedPipeline,
    indexKind: ChunkIndex["kind"],
    context: WriteContext,
  ) {
    this.dataset = dataset;
    this.chunkShape = storage.chunkShape;
    // libhdf5 allocates the chunks of variable-length data as soon as they are in the shape.
    this.storesAll = dataset.fill.allocationTime === "early" || hasAddresses(dataset.datatype);
    this.path = context.pathOf(dataset);
    this.#pipeline = pipeline;
    this.#unfilteredEdges = storage.unfilteredEdges;
    this.#indexKind = indexKind;
    this.#context = context;
    this.#stored = new ChunkList(storage.chunkShape.length);
    this.chunkBytes = elementCount(storage.chunkShape) * dataset.datatype.size;
    this.#flight = new ChunkFlight((coordinate, chunk) => this.#store(coordinate, chunk), context.signal);
  }

  /** Where the chunks are, in row-major order: all of them after {@link complete}. */
  locations(): readonly ChunkLocation[] {
    return this.#stored.sorted();
  }

  /** The elements of a chunk, those outside the dataset among them. */
  boxOf(coordinate: readonly number[]): ElementBox {
    return { start: coordinate.map((at, d) => at * this.chunkShape[d]!), shape: this.chunkShape };
  }

  /** A chunk of nothing but the fill value, or several behind one another. */
  filledChunk(count: number = 1): Uint8Array<ArrayBuffer> {
    const { datatype, fill } = this.dataset;
    return filled(count * elementCount(this.chunkShape), datatype.size, fill.value);
  }

  /**
   * Filters and stores a chunk; one of nothing but the fill value only where all are stored.
   *
   * @param elements - of the whole chunk shape, with addresses in place; all of the memory they are in is kept
   * @param skip - filters to be left out: bit i for filter i
   */
  async write(coordinate: readonly number[], elements: Uint8Array, skip: number = 0): Promise<void> {
    const { datatype, fill } = this.dataset;
    this.#checkInside(coordinate);
    if (elements.length !== this.chunkBytes) {
      this.#refuse(coordinate, `expected ${this.chunkBytes} bytes of elements, got ${elements.length}`);
    }
    // Where the fill value is not written, what a missing chunk reads as is anybody's guess.
    const mayMiss = !this.storesAll && fill.defined && fill.writeTime !== "never";
    if (mayMiss && isFilled(elements, datatype.size, fill.value)) return;
    const { filters, encoders } = this.#pipeline;
    const encoded = this.#isUnfiltered(coordinate)
      ? { bytes: elements, filterMask: 0 }
      : applyEncoders(elements, filters, encoders, skip);
    await this.#flight.add(coordinate, encoded);
  }

  /** Stores a chunk that has been through the filters. */
  async writeRaw(coordinate: readonly number[], bytes: Uint8Array, filterMask: number): Promise<void> {
    this.#checkInside(coordinate);
    const { length } = this.#pipeline.filters;
    if (!Number.isInteger(filterMask) || filterMask < 0 || filterMask >= 2 ** length) {
      this.#refuse(coordinate, `filter mask ${filterMask} for ${length} filters`);
    }
    if (this.#isUnfiltered(coordinate) && (bytes.length !== this.chunkBytes || filterMask !== 0)) {
      const got = `${bytes.length} bytes with filter mask ${filterMask}`;
      this.#refuse(coordinate, `it is not filtered: expected ${this.chunkBytes} bytes without a mask, got ${got}`);
    }
    await this.#flight.add(coordinate, { bytes, filterMask });
  }

  /** Stores all chunks that are not stored yet, where all must be. To be called once all others have been written. */
  async complete(emptyChunk: () => Uint8Array): Promise<void> {
    await this.#flight.finish();
    const written = this.#stored.sorted();
    for (let i = 1; i < written.length; i++) {
      const { coordinate } = written[i]!;
      if (compareCells(written[i - 1]!.coordinate, coordinate) === 0) this.#refuse(coordinate, "it was written twice");
    }
    if (this.storesAll) await this.#fill(written, emptyChunk);
    if (this.#implicitAddress !== undefined) await this.#reserve(this.#implicitAddress);
  }

  /** Writes what is missing between chunks that are in row-major order. */
  async #fill(written: readonly ChunkLocation[], emptyChunk: () => Uint8Array): Promise<void> {
    const { shape } = this.dataset.space;
    const chunks = shape.reduce((product, size, d) => product * Math.ceil(size / this.chunkShape[d]!), 1);
    if (chunks > MOST_FILLED) {
      const why = "all are stored, since their elements lead to other places or are allocated early";
      throw new InvalidArgumentError(`${chunks} chunks, of which ${why}: at most ${MOST_FILLED} can be`, {
        path: this.path,
      });
    }
    let next = 0;
    for (const coordinate of cellsOf(boxOf(shape), this.chunkShape)) {
      const known = written[next];
      if (known !== undefined && compareCells(known.coordinate, coordinate) === 0) next++;
      else {
        await this.write(coordinate, emptyChunk());
        await this.#context.space.drain();
      }
    }
    await this.#flight.finish();
  }

  /** Writes zeros where an implicit index has room for chunks to come, so that no part of the file is left out. */
  async #reserve(address: number): Promise<void> {
    const zeros = new Uint8Array(this.chunkBytes);
    let slot = 0;
    for (const coordinate of cellsOf(boxOf(this.dataset.space.maxShape), this.chunkShape)) {
      if (!this.#isInside(coordinate)) this.#context.space.put(address + slot * this.chunkBytes, zeros);
      slot++;
      await this.#context.space.drain();
    }
  }

  #isUnfiltered(coordinate: readonly number[]): boolean {
    if (this.#pipeline.filters.length === 0) return true;
    return this.#unfilteredEdges && sticksOut(coordinate, this.chunkShape, this.dataset.space.shape);
  }

  #isInside(coordinate: readonly number[]): boolean {
    const { shape } = this.dataset.space;
    return coordinate.every((at, d) => at * this.chunkShape[d]! < shape[d]!);
  }

  #checkInside(coordinate: readonly number[]): void {
    const { shape } = this.dataset.space;
    const isPosition =
      coordinate.length === shape.length && coordinate.every((at) => Number.isSafeInteger(at) && at >= 0);
    if (!isPosition || !this.#isInside(coordinate)) this.#refuse(coordinate, `it lies outside the shape [${shape}]`);
  }

  #store(coordinate: readonly number[], { bytes, filterMask }: EncodedChunk): void {
    if (bytes.length === 0) this.#refuse(coordinate, "it has no bytes");
    const address = this.#allocate(coordinate, bytes.length);
    const { filters } = this.#pipeline;
    this.#context.space.put(address, filters.length > 0 ? toKeep(bytes) : (bytes as Uint8Array<ArrayBuffer>));
    this.#stored.add(coordinate, address, bytes.length, filterMask);
  }

  #allocate(coordinate: readonly number[], size: number): number {
    const { space } = this.#context;
    if (this.#indexKind !== "implicit") return space.allocate(size);
    // Its chunks are numbered over the maximum shape, so that growing moves none of them.
    const grid = this.dataset.space.maxShape.map((extent, d) => Math.ceil(extent / this.chunkShape[d]!));
    this.#implicitAddress ??= space.allocate(elementCount(grid) * this.chunkBytes);
    const slot = coordinate.reduce((sum, at, d) => sum * grid[d]! + at, 0);
    return this.#implicitAddress + slot * this.chunkBytes;
  }

  #refuse(coordinate: readonly number[], reason: string): never {
    throw new InvalidArgumentError(`chunk [${coordinate}]: ${reason}`, { path: this.path });
  }
}

function boxOf(shape: readonly number[]): ElementBox {
  return { start: shape.map(() => 0), shape };
}

/** Bytes of a filter that wait to be written: a copy of a small part of a buffer, which would be kept whole, and of shared memory. */
function toKeep(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, length } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength <= 2 * length
    ? (bytes as Uint8Array<ArrayBuffer>)
    : bytes.slice();
}
