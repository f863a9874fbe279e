import { InvalidArgumentError } from "@h5/framing";
import { elementCount } from "@h5/selection";
import { BlockStore, sticksOut } from "../data/block-store.ts";
import type { ChunkedStorage, DatasetModel } from "../model/objects.ts";
import { shown } from "../values/shown.ts";
import { storeOf } from "./dataset-storage.ts";
import { encodeBlock, encodeData } from "./elements.ts";
import { ObjectBuilder } from "./object-builder.ts";
import { checkNumbers } from "./option-checks.ts";

/** A dataset of the file being written. */
export class DatasetBuilder extends ObjectBuilder<DatasetModel> {
  /** Elements along each axis now. */
  get shape(): readonly number[] {
    return this.model.space.shape;
  }

  /**
   * Grows or shrinks the dataset, within its maximum shape. Elements outside a smaller shape are gone: growing again
   * finds the fill value there.
   *
   * @throws InvalidArgumentError for a shape that is not within the maximum, or cuts a chunk that was given as it is stored
   *   or takes it from the unfiltered edge, or data that comes as blocks
   */
  resize(shape: readonly number[]): this {
    return this.changed(() => {
      const { data, hasEdges } = this.#stored();
      const { maxShape } = this.model.space;
      checkNumbers("shape", shape);
      const fits = shape.length === maxShape.length && shape.every((size, d) => size <= maxShape[d]!);
      if (!fits) throw new InvalidArgumentError(`shape [${shape}] is not within maxShape [${maxShape}]`);
      elementCount([...shape, this.model.datatype.size]);
      if (hasEdges) data.checkEdges(this.shape, shape);
      if (shape.some((size, d) => size < this.shape[d]!)) data.clip(shape, this.shape);
      this.model.space = { ...this.model.space, shape: [...shape] };
    });
  }

  /**
   * Adds data at the end: each unlimited axis grows by the block's extent along it, the block lies at the old shape's far
   * corner, and all other axes of the block must be as long as the dataset's.
   *
   * @throws InvalidArgumentError for a block of another shape, values that do not fit, a dataset that cannot grow, or data
   *   that comes as blocks
   */
  append(
    block: unknown,
    options: { readonly shape?: readonly number[] | undefined; readonly copy?: boolean | undefined } = {},
  ): this {
    return this.changed(() => {
      const { data, hasEdges } = this.#stored();
      const { datatype, space } = this.model;
      // What is not copied here is copied into the store.
      const { shape, elements } = encodeData(this.state.model, block, {
        shape: options.shape,
        dtype: datatype,
        copy: false,
      });
      const grows = space.maxShape.map((size) => size === Infinity);
      const fits =
        shape?.length === space.shape.length &&
        grows.includes(true) &&
        shape.every((size, d) => grows[d] || size === space.shape[d]);
      if (!fits)
        throw new InvalidArgumentError(
          `cannot append a block of shape [${shape}] to [${space.shape}] with maxShape [${space.maxShape}]`,
        );
      const start = space.shape.map((size, d) => (grows[d] ? size : 0));
      const grown = start.map((first, d) => first + shape[d]!);
      elementCount([...grown, datatype.size]);
      if (hasEdges) data.checkEdges(space.shape, grown);
      const added = { start, shape, bytes: elements };
      if (elements.length > 0 && options.copy === false) data.add(added, grown);
      else if (elements.length > 0) data.append(added, grown);
      this.model.space = { ...space, shape: grown };
    });
  }

  /**
   * Writes a block of elements into the dataset.
   *
   * @param start - place of the block's first element
   * @throws InvalidArgumentError for a block that is not within the shape, values that do not fit, or data that comes as
   *   blocks
   */
  write(
    start: readonly number[],
    block: unknown,
    options: { readonly shape?: readonly number[] | undefined; readonly copy?: boolean | undefined } = {},
  ): this {
    return this.changed(() => {
      const data = this.#store();
      const { shape, elements } = encodeData(this.state.model, block, {
        shape: options.shape,
        dtype: this.model.datatype,
        copy: options.copy,
      });
      checkNumbers("start", start);
      const within =
        shape?.length === this.shape.length &&
        start.length === this.shape.length &&
        start.every((first, d) => first + shape[d]! <= this.shape[d]!);
      if (!within)
        throw new InvalidArgumentError(
          `a block of shape [${shape}] at [${start}] is not within the shape [${this.shape}]`,
        );
      if (elements.length > 0) data.add({ start: [...start], shape, bytes: elements }, this.shape);
    });
  }

  /**
   * Writes a whole chunk by its coordinate in the grid of chunks.
   *
   * @param values - of all elements of the chunk shape; what sticks out of the dataset is not looked at
   * @throws InvalidArgumentError for another number of values, or a chunk outside the dataset
   */
  writeChunk(coordinate: readonly number[], values: unknown): this {
    return this.changed(() => {
      const { data, chunkShape } = this.#stored();
      this.#checkCoordinate(coordinate, chunkShape);
      const bytes = encodeBlock(this.state.model, values, this.model.datatype, this.state.model.heaps);
      const size = elementCount(chunkShape) * this.model.datatype.size;
      if (bytes.length !== size)
        throw new InvalidArgumentError(
          `expected ${size} bytes for a chunk of shape [${chunkShape}], got ${bytes.length}`,
        );
      data.add({ start: coordinate.map((c, d) => c * chunkShape[d]!), shape: chunkShape, bytes }, this.shape);
    });
  }

  /**
   * Writes a chunk as it is to be stored: `bytes` have been through the filters, but for those whose bit is set in
   * `filterMask` (bit i for filter i). What sticks out of the dataset shows where that grows.
   *
   * @throws InvalidArgumentError for a chunk outside the dataset, or a dataset without chunks
   */
  writeRawChunk(coordinate: readonly number[], bytes: Uint8Array, filterMask: number = 0): this {
    return this.changed(() => {
      const { data, chunkShape, filters, hasEdges } = this.#stored();
      this.#checkCoordinate(coordinate, chunkShape);
      checkMask(filterMask, filters);
      if (!(bytes instanceof Uint8Array) || bytes.length === 0)
        throw new InvalidArgumentError(`chunk [${coordinate}]: expected bytes, got ${shown(bytes)}`);
      const size = elementCount(chunkShape) * this.model.datatype.size;
      const isFiltered = filters.length > 0 && !(hasEdges && sticksOut(coordinate, chunkShape, this.shape));
      if (!isFiltered && (bytes.length !== size || filterMask !== 0)) {
        const got = `${bytes.length} with filter mask ${filterMask}`;
        throw new InvalidArgumentError(`chunk [${coordinate}] is not filtered: expected ${size} bytes, got ${got}`);
      }
      data.setRaw(coordinate, { bytes: bytes.slice(), filterMask });
    });
  }

  /** Leaves filters out of one chunk: filter i where bit i of `filterMask` is set. Holds for the place, however it grows. */
  setFilterMask(coordinate: readonly number[], filterMask: number): this {
    return this.changed(() => {
      const { data, chunkShape, filters } = this.#stored();
      checkNumbers("chunk", coordinate);
      if (coordinate.length !== chunkShape.length)
        throw new InvalidArgumentError(`chunk [${coordinate}] of a dataset in chunks of [${chunkShape}]`);
      checkMask(filterMask, filters);
      data.setMask(coordinate, filterMask);
    });
  }

  /** The chunks of the dataset, where its elements are in memory, and whether those that stick out are stored otherwise. */
  #stored(): Pick<ChunkedStorage, "chunkShape" | "filters"> & {
    readonly data: BlockStore;
    readonly hasEdges: boolean;
  } {
    const { storage } = this.model;
    if (storage.class !== "chunked") throw new InvalidArgumentError(`the dataset is ${storage.class}, not chunked`);
    const { chunkShape, filters, data, unfilteredEdges } = storage;
    if (data.kind === "stream")
      throw new InvalidArgumentError("the dataset's data comes as blocks while the file is written");
    return { chunkShape, filters, data, hasEdges: unfilteredEdges && filters.length > 0 };
  }

  #store(): BlockStore {
    const { storage } = this.model;
    if (storage.class === "compact" || storage.class === "contiguous") storage.data = storeOf(this.model, storage.data);
    const data = "data" in storage ? storage.data : undefined;
    if (!(data instanceof BlockStore)) throw new InvalidArgumentError("the dataset's elements are not in memory");
    return data;
  }

  #checkCoordinate(coordinate: readonly number[], chunkShape: readonly number[]): void {
    checkNumbers("chunk", coordinate);
    const inside =
      coordinate.length === chunkShape.length && coordinate.every((c, d) => c * chunkShape[d]! < this.shape[d]!);
    if (!inside)
      throw new InvalidArgumentError(
        `chunk [${coordinate}] is outside the shape [${this.shape}] in chunks of [${chunkShape}]`,
      );
  }
}

function checkMask(filterMask: number, filters: readonly unknown[]): void {
  if (Number.isInteger(filterMask) && filterMask >= 0 && filterMask < 2 ** filters.length) return;
  throw new InvalidArgumentError(`filter mask ${shown(filterMask)} for ${filters.length} filters`);
}
