import type { ChunkLocation } from "@h5/btree";
import {
  type Data,
  type Datatype,
  type DtypeName,
  dtypeOf,
  type Scalar,
  type StoredValues,
  scalarOf,
  type Values,
} from "@h5/datatypes";
import type { PipelineFilter } from "@h5/filters";
import {
  atPath,
  checkLimit,
  type ExternalFiles,
  type FillValue,
  InvalidArgumentError,
  type Layout,
  LimitExceededError,
} from "@h5/framing";
import { type ChunkBox, type Dataspace, elementCount, resolveSelection, type VirtualMapping } from "@h5/selection";
import { boxAround, type ChunkInfo, chunkInfoOf, type RawChunk, rawChunksOf, type Tile } from "./chunks.ts";
import {
  dataspaceOf,
  datatypeOf,
  externalFilesOf,
  fillMessageOf,
  filtersOf,
  layoutOf,
  mappingsOf,
  settledDataspaceOf,
  storageOf,
} from "./dataset-metadata.ts";
import { type ExternalSlot, externalSlotsOf } from "./external-raw.ts";
import { fetchBytes } from "./fetch.ts";
import { receiverOf } from "./into.ts";
import { arrayOf, type NdArray } from "./nd-array.ts";
import { H5Node } from "./node.ts";
import type { GetResult, ReadSelection } from "./read-types.ts";
import { isRelocated, RelocatedHeap } from "./relocated-heap.ts";
import { axisSelector, type Selector, selectionSelector, tileOf } from "./selector.ts";
import type { SignalOptions } from "./session.ts";
import { locateChunks, type ReadOptions, type Storage, type StoredReadOptions } from "./storage.ts";
import { readAhead, tilesAhead, tilesOf } from "./tiles.ts";
import { materialize, type StoredElements, withDecoding } from "./values.ts";
import { readElements } from "./virtual-read.ts";

/** Options of {@link Dataset.get}. */
export interface GetOptions<D extends DtypeName = DtypeName> extends ReadOptions {
  /**
   * A typed array of the result's kind and length to read into; it becomes the result's `data`. What it holds is of no
   * meaning if the read fails.
   */
  readonly into?: Data<D> | undefined;
  /** How 64-bit integers come out; `"number"` throws where one is not exact. Default: as the file was opened. */
  readonly int64?: "bigint" | "number" | undefined;
}

/** Options of {@link Dataset.chunks}. */
export interface TileOptions extends SignalOptions {
  /** Shape of a tile; by default that of a chunk. */
  readonly tileShape?: readonly number[] | undefined;
  /** Tiles to be read before they are asked for, of at most 16 MiB together; default 0. */
  readonly ahead?: number | undefined;
}

/** A dataset: typed elements in an n-dimensional array. Its metadata is at hand, its elements are read by `get`. */
export class Dataset<D extends DtypeName = DtypeName> extends H5Node {
  readonly kind = "dataset" as const;

  get datatype(): Datatype {
    return this.memo("datatype", () => datatypeOf(this.session, this.object));
  }

  /** What the elements come out as, zarrita's way: `"float64"`, `"string"`, `"compound"` … */
  get dtype(): D {
    return dtypeOf(this.datatype) as D;
  }

  get dataspace(): Dataspace {
    return this.memo("dataspace", () => settledDataspaceOf(this.session, this.object));
  }

  /** Length of each dimension; empty for a scalar and for a null dataspace (tell them apart by `dataspace.class`). */
  get shape(): readonly number[] {
    return this.dataspace.shape;
  }

  /** Largest shape the dataset may grow to; `Infinity` where a dimension is unlimited. */
  get maxShape(): readonly number[] {
    return this.#stored.maxShape;
  }

  /** Whether there are elements in dimensions (`simple`), one without any (`scalar`), or none at all (`null`). */
  get spaceClass(): Dataspace["class"] {
    return this.#stored.class;
  }

  /** The shape as the file has it; that of a virtual dataset may be out of date. */
  get storedShape(): readonly number[] {
    return this.#stored.shape;
  }

  /** The dataspace as the file has it; that of a virtual dataset may be out of date. */
  get #stored(): Dataspace {
    return this.memo("stored dataspace", () => dataspaceOf(this.session, this.object));
  }

  get layout(): Layout {
    return this.memo("layout", () => layoutOf(this.session, this.object));
  }

  /** Shape of a chunk, `undefined` where the dataset is not chunked. */
  get chunkShape(): readonly number[] | undefined {
    const { layout } = this;
    return layout.class === "chunked" ? layout.chunkShape : undefined;
  }

  /** The filter pipeline, in the order the filters were applied. */
  get filters(): readonly PipelineFilter[] {
    return this.memo("filters", () => filtersOf(this.object));
  }

  /** What a virtual dataset is made of, `undefined` for any other. */
  get virtualMappings(): readonly VirtualMapping[] | undefined {
    return mappingsOf(this.object);
  }

  /** The files that hold the raw data, where it is stored outside. */
  get externalFiles(): ExternalFiles | undefined {
    return this.memo("externalFiles", () => externalFilesOf(this.session, this.object));
  }

  /**
   * The pieces of other files that hold the raw data, in order, where it is stored outside; none where it is not.
   *
   * @throws what reading their names gave
   */
  async externalSlots(options: SignalOptions = {}): Promise<readonly ExternalSlot[]> {
    const { externalFiles } = this;
    return externalFiles === undefined ? [] : await externalSlotsOf(this.session, externalFiles, options);
  }

  /** Header address of the committed datatype the elements have, if it is one. */
  get committedDatatype(): number | undefined {
    return this.object.messages.find(({ committedAt }) => committedAt !== undefined)?.committedAt;
  }

  /** The value of elements never written; zero, empty or null where the file sets none. */
  async fillValue(): Promise<Scalar<D>> {
    const { datatype } = this;
    const bytes = this.#storage().fill ?? new Uint8Array(datatype.size);
    const [values] = await materialize(this.session, [{ datatype, bytes, count: 1 }]);
    return oneElement(datatype, values!) as Scalar<D>;
  }

  /** What the file says of the fill value: when it is written, and its stored bytes; `undefined` where it says nothing. */
  get fill(): FillValue | undefined {
    return this.memo("fill", () => fillMessageOf(this.object));
  }

  /** The value of {@link fill} as it is stored; `undefined` where it has none. */
  async getStoredFill(options: SignalOptions = {}): Promise<StoredValues | undefined> {
    const { datatype, fill } = this;
    if (fill?.value === undefined || fill.value.length === 0) return undefined;
    const [stored] = await withDecoding(this.session, [{ datatype, bytes: fill.value, count: 1 }], options);
    return stored;
  }

  /** Narrows the type of what `get` gives. */
  is<Q extends DtypeName>(dtype: Q): this is Dataset<Q> {
    return (this.dtype as DtypeName) === dtype;
  }

  /**
   * Reads the selected elements, row-major; everything by default. An integer member drops its dimension, and a
   * selection of integers alone gives a scalar. The elements of an H5S selection come in its order, in one dimension. An
   * array datatype's dimensions come after the dataset's.
   *
   * @throws InvalidArgumentError for a selection that does not fit the shape; MissingFilterError before any chunk is
   *   fetched; UnexpectedEofError where stored data lies past the end; LimitExceededError; the signal's reason
   */
  async get<const S extends ReadSelection = null>(
    selection?: S,
    options: GetOptions<D> = {},
  ): Promise<GetResult<D, S>> {
    try {
      return (await this.#read(selection ?? null, options)) as GetResult<D, S>;
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  /**
   * The selected elements as {@link get} reads them, but as they are stored: byte for byte, padding among it, with what
   * they keep in the global heap. For who writes them to another file.
   *
   * @throws what `get` throws
   */
  async getStored(selection: ReadSelection = null, options: ReadOptions = {}): Promise<StoredValues> {
    try {
      const [stored] = await withDecoding(
        this.session,
        [await this.#elements(this.#selector(selection), options)],
        options,
      );
      return stored!;
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  /**
   * Everything in tiles, row-major: memory holds one tile and one stored chunk, and as many again for each that is read
   * ahead. A tile is a chunk by default, for other layouts a stretch of rows of at most 4 MiB; tiles at the edge are
   * smaller.
   */
  async *chunks(options: TileOptions = {}): AsyncGenerator<Tile<D>> {
    const { shape } = this;
    if (this.spaceClass === "null") return;
    const grid = options.tileShape ?? this.chunkShape ?? tileOf(shape, this.datatype.size);
    checkTileShape(grid, shape.length);
    const { chunkShape } = this;
    const { size } = this.datatype;
    const ahead = tilesAhead(options.ahead ?? 0, elementCount(grid) * size, elementCount(chunkShape ?? [0]) * size);
    const tiles = tilesOf(shape, grid, chunkShape, (box) => this.#locations(box, options));
    yield* readAhead(tiles, ahead, async ({ selection, located }) => {
      try {
        const known = { ...options, oneByOne: true, located: await located?.() };
        const tile = (await this.#read(selection, known)) as NdArray<D>;
        return { selection, ...tile };
      } catch (error) {
        throw atPath(error, this.name);
      }
    });
  }

  /** Where the chunks are stored, in row-major order; those never written are left out. Empty for other layouts. */
  async chunkInfo(options: SignalOptions = {}): Promise<ChunkInfo[]> {
    return await this.#locate(undefined, options);
  }

  /**
   * The stored bytes of one chunk, its filters not undone; `undefined` where it was never written.
   *
   * @param coordinate - in units of chunks
   */
  async readRawChunk(coordinate: readonly number[], options: SignalOptions = {}): Promise<RawChunk | undefined> {
    const [info] = await this.#locate(boxAround(coordinate, this.shape, this.chunkShape), options);
    if (info === undefined) return undefined;
    checkLimit(this.session.limits, "chunkBytes", info.size, { structure: "chunk", address: info.address });
    return { ...info, bytes: await fetchBytes(this.session, info.address, info.size, "chunk", options) };
  }

  /**
   * All chunks that are stored, as they are stored, in the order in which they lie in the file: a few at a time are in
   * memory.
   */
  async *rawChunks(options: SignalOptions = {}): AsyncGenerator<RawChunk> {
    const infos = await this.chunkInfo(options);
    try {
      yield* rawChunksOf(this.session, infos, options);
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  async #locate(box: ChunkBox | undefined, options: SignalOptions): Promise<ChunkInfo[]> {
    try {
      return chunkInfoOf(await this.#locations(box, options), this.chunkShape ?? []);
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  async #locations(box: ChunkBox | undefined, options: SignalOptions): Promise<ChunkLocation[]> {
    const storage = this.#storage();
    const { layout } = storage;
    return layout.class === "chunked" ? await locateChunks(this.session, storage, layout, box, options) : [];
  }

  async #read(selection: ReadSelection, options: GetOptions<D> & StoredReadOptions): Promise<unknown> {
    const { datatype } = this;
    const selector = this.#selector(selection);
    const single = isOneElement(selection);
    const { into } = options;
    const int64 = options.int64 ?? this.session.int64;
    const receiver = single || into === undefined ? undefined : receiverOf(into, datatype, selector.count, int64);
    const elements = await this.#elements(selector, options, receiver?.memory);
    const [values] = await materialize(this.session, [elements], options);
    if (single) return oneElement(datatype, values!);
    const array = arrayOf(values!, selector.shape, datatype);
    receiver?.take(array.data);
    return into === undefined ? array : { ...array, data: into };
  }

  /** The stored elements, in `memory` if there is any. */
  async #elements(
    selector: Selector,
    { signal, onProgress, oneByOne, located }: StoredReadOptions,
    memory?: Uint8Array,
  ): Promise<StoredElements> {
    const storage = this.#storage();
    const { count } = selector;
    const bytes = memory ?? this.#allocate(count * storage.elementSize);
    const usedTarget = memory !== undefined;
    const { datatype } = this;
    // The elements of a virtual dataset may have come from several files, each with a heap and addresses of its own.
    const heap = storage.layout.class === "virtual" && isRelocated(datatype) ? new RelocatedHeap() : undefined;
    const options = { signal, onProgress, oneByOne, located, usedTarget, heap };
    await readElements(this.session, storage, selector, bytes, options);
    return { datatype, bytes, count, owned: true, relocated: heap };
  }

  #selector(selection: ReadSelection): Selector {
    if (this.spaceClass === "null") return axisSelector(resolveSelection(null, [0]), [0]);
    return selection !== null && "type" in selection
      ? selectionSelector(selection, this.shape, this.session)
      : axisSelector(resolveSelection(selection, this.shape), this.shape);
  }

  #allocate(length: number): Uint8Array<ArrayBuffer> {
    const place = { structure: "dataset", address: this.address };
    checkLimit(this.session.limits, "readBytes", length, place);
    try {
      return new Uint8Array(length);
    } catch (cause) {
      throw new LimitExceededError("readBytes", this.session.limits.readBytes, length, { ...place, cause });
    }
  }

  #storage(): Storage {
    return this.memo("storage", () => storageOf(this.session, this.object));
  }
}

function checkTileShape(tileShape: readonly number[], rank: number): void {
  if (tileShape.length === rank && tileShape.every((length) => Number.isSafeInteger(length) && length > 0)) return;
  throw new InvalidArgumentError(`expected a tile shape of ${rank} positive members, got [${tileShape.join(", ")}]`);
}

/** Whether a selection consists of integers alone, and so drops every dimension. */
function isOneElement(selection: ReadSelection): boolean {
  return selection !== null && !("type" in selection) && selection.every((member) => typeof member === "number");
}

/** One element on its own; that of an array datatype is all its values, flat. */
function oneElement(datatype: Datatype, values: Values): unknown {
  return datatype.class === "array" ? values : scalarOf(datatype, values, 0);
}
