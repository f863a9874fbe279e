import { type Data, type Datatype, type DtypeName, dtypeOf, type Scalar } from "@h5/datatypes";
import type { PipelineFilter } from "@h5/filters";
import { atPath, type Layout } from "@h5/framing";
import type { Dataspace, VirtualMapping } from "@h5/selection";
import type { ChunkInfo, RawChunk, Tile } from "./chunks.ts";
import { dataspaceOf, datatypeOf, filtersOf, layoutOf, mappingsOf, settledDataspaceOf } from "./dataset-metadata.ts";
import { H5Node } from "./node.ts";
import type { GetResult, ReadSelection } from "./read-types.ts";
import { loaded, type SignalOptions } from "./session.ts";
import type { ReadOptions, Storage } from "./storage.ts";

/** Options of {@link Dataset.get}. */
export interface GetOptions<D extends DtypeName = DtypeName> extends ReadOptions {
  /**
   * A typed array of the result's kind and length to read into; it becomes the result's `data`. What it holds is of no
   * meaning if the read fails.
   */
  readonly into?: Data<D> | undefined;
  /** How 64-bit integers come out; `"number"` throws where one is not exact. Default: as the file was opened. */
  readonly int64?: "bigint" | "number" | undefined;
  /** The members of a compound to be decoded, in the order given; all by default. */
  readonly fields?: readonly string[] | undefined;
  /**
   * `false` lets `data` be a view of the bytes that the file was opened with, where the selected elements lie there in
   * one piece as the values that they are: numbers of the machine's byte order, aligned, in contiguous storage. All
   * else is read as ever.
   */
  readonly copy?: boolean | undefined;
}

/** Options of {@link Dataset.chunks}. */
export interface TileOptions extends SignalOptions {
  /** Shape of a tile; by default that of a chunk. */
  readonly tileShape?: readonly number[] | undefined;
  /** Tiles to be read before they are asked for, of at most 16 MiB together; default 0. */
  readonly ahead?: number | undefined;
}

/** The code that reads elements, and how those of a dataset are stored. */
export interface Reading {
  readonly code: typeof import("./reading.ts");
  readonly storage: Storage;
}

/** A dataset: typed elements in an n-dimensional array. Its metadata is at hand, its elements are read by `get`. */
export class Dataset<D extends DtypeName = DtypeName> extends H5Node {
  readonly kind = "dataset" as const;

  /** Type of the elements, all that the file says of it. */
  get datatype(): Datatype {
    return this.memo("datatype", () => datatypeOf(this.session, this.object));
  }

  /** What the elements come out as, zarrita's way: `"float64"`, `"string"`, `"compound"` … */
  get dtype(): D {
    return dtypeOf(this.datatype) as D;
  }

  /** Dimensions as they are now; of a virtual dataset what its sources make of them. */
  get dataspace(): Dataspace {
    return this.memo("dataspace", () => settledDataspaceOf(this.session, this.object));
  }

  /** Length of each dimension; empty for a scalar and for a null dataspace (tell them apart by `dataspace.class`). */
  get shape(): readonly number[] {
    return this.dataspace.shape;
  }

  /** Largest shape the dataset may grow to; `Infinity` where a dimension is unlimited. */
  get maxShape(): readonly number[] {
    return this.storedDataspace.maxShape;
  }

  /** Whether there are elements in dimensions (`simple`), one without any (`scalar`), or none at all (`null`). */
  get spaceClass(): Dataspace["class"] {
    return this.storedDataspace.class;
  }

  /** The dataspace as the file has it; the shape of a virtual dataset may be out of date there. */
  get storedDataspace(): Dataspace {
    return this.memo("stored dataspace", () => dataspaceOf(this.session, this.object));
  }

  /** How the elements are stored. */
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

  /** Header address of the committed datatype the elements have, if it is one. */
  get committedDatatype(): number | undefined {
    return this.object.messages.find(({ committedAt }) => committedAt !== undefined)?.committedAt;
  }

  /** The value of elements never written; zero, empty or null where the file sets none. */
  fillValue(options: SignalOptions = {}): Promise<Scalar<D>> {
    return this.reading(options, ({ code, storage }) => code.readFillValue(this.session, storage, options)) as Promise<
      Scalar<D>
    >;
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
   * @throws InvalidArgumentError for a selection that does not fit the shape, or fields there are none of; MissingFilterError before any chunk is
   *   fetched; UnexpectedEofError where stored data lies past the end; LimitExceededError; the signal's reason
   */
  get<const S extends ReadSelection = null>(selection?: S, options: GetOptions<D> = {}): Promise<GetResult<D, S>> {
    return this.reading(options, ({ code, storage }) =>
      code.readSelected(this.session, storage, selection ?? null, options),
    ) as Promise<GetResult<D, S>>;
  }

  /**
   * Everything in tiles, row-major: memory holds one tile and one stored chunk, and as many again for each that is read
   * ahead; where tiles cut chunks, also what `cache` allows of these. A tile is a chunk by default, for other layouts a
   * stretch of rows of at most 4 MiB; tiles at the edge are smaller.
   */
  async *chunks(options: TileOptions = {}): AsyncGenerator<Tile<D>> {
    const tiles = await this.reading(options, async ({ code, storage }) =>
      code.readTiles(this.session, storage, options),
    );
    try {
      yield* tiles as AsyncGenerator<Tile<D>>;
    } catch (error) {
      throw atPath(error, this.name);
    }
  }

  /** Where the chunks are stored, in row-major order; those never written are left out. Empty for other layouts. */
  chunkInfo(options: SignalOptions = {}): Promise<ChunkInfo[]> {
    return this.reading(options, ({ code, storage }) => code.locateStored(this.session, storage, undefined, options));
  }

  /**
   * The stored bytes of one chunk, its filters not undone; `undefined` where it was never written.
   *
   * @param coordinate - in units of chunks
   */
  readRawChunk(coordinate: readonly number[], options: SignalOptions = {}): Promise<RawChunk | undefined> {
    return this.reading(options, ({ code, storage }) => code.readRawChunk(this.session, storage, coordinate, options));
  }

  /** Has the code do something that reads elements; it is loaded when it is first needed. */
  protected async reading<T>(options: SignalOptions, work: (reading: Reading) => Promise<T>): Promise<T> {
    options.signal?.throwIfAborted();
    this.session.code.reading ??= await loaded(() => import("./reading.ts"), options);
    const code = this.session.code.reading;
    try {
      return await work({ code, storage: this.memo("storage", () => code.storageOf(this.session, this.object)) });
    } catch (error) {
      throw atPath(error, this.name);
    }
  }
}
