import { ByteReader, ByteWriter, InvalidArgumentError, UnsupportedFeatureError, type Widths } from "@h5/framing";

/** The most dimensions a dataspace or selection can have (`H5S_MAX_RANK`, H5Spublic.h). */
export const MAX_RANK: number = 32;

const STRUCTURE = "dataspace message";
const HAS_MAX_SHAPE = 1;
const HAS_PERMUTATION = 2;

/** The extent of a dataset or attribute: no element (`null`), one (`scalar`), or an n-dimensional array (`simple`). */
export interface Dataspace {
  readonly class: "null" | "scalar" | "simple";
  /** Version of the message. Version 1 cannot hold a null space. */
  readonly version: 1 | 2;
  /** Elements along each dimension, slowest first; empty for null and scalar. */
  readonly shape: readonly number[];
  /** Largest `shape` the dataset may grow to, `Infinity` where a dimension is unlimited. */
  readonly maxShape: readonly number[];
  /** Whether the message leaves `maxShape` out, so that it equals `shape`. Unset: only without dimensions, as libhdf5. */
  readonly fixed?: boolean | undefined;
}

/**
 * Decodes a dataspace message (type 0x0001); bytes after it are allowed, since object headers pad.
 *
 * Spec IV.A.2.b, versions 1 and 2:
 *
 * | bytes | field                                                                      |
 * | ----- | -------------------------------------------------------------------------- |
 * | 1     | version, 1 or 2                                                            |
 * | 1     | dimensionality, at most 32                                                 |
 * | 1     | flags: bit 0 maximum dimensions are stored, bit 1 (version 1) permutation  |
 * | 1     | version 1: reserved; version 2: 0 scalar, 1 simple, 2 null                 |
 * | 4     | version 1 only: reserved                                                   |
 * | L·n   | dimension sizes                                                            |
 * | L·n   | maximum dimension sizes, where flagged; all ones of 8 bytes is unlimited   |
 *
 * With lengths narrower than 8 bytes, libhdf5 reads all ones as that finite number (H5Osdspace.c), and so does this.
 *
 * @throws UnsupportedFeatureError for permutation indices, which no library ever wrote, and other unknown flags
 * @throws InvalidFieldError for a version, rank, class, or maximum that the specification does not allow
 * @throws UnexpectedEofError where the bytes are too short
 */
export function decodeDataspace(body: Uint8Array, widths: Widths, address?: number): Dataspace {
  const reader: ByteReader = new ByteReader(body, STRUCTURE, address);
  const version = reader.u8();
  if (version !== 1 && version !== 2) reader.fail(`expected version 1 or 2, got ${version}`, 0);
  const rank = reader.u8();
  if (rank > MAX_RANK) reader.fail(`expected at most ${MAX_RANK} dimensions, got ${rank}`, 1);
  const flags = checkFlags(reader.u8(), version, address);
  const type = reader.u8();
  if (version === 1) reader.skip(4);
  const space = version === 1 ? (rank === 0 ? "scalar" : "simple") : classOf(type, rank, reader);
  const shape = decodeShape(reader, rank, widths, "dimension");
  const fixed = (flags & HAS_MAX_SHAPE) === 0;
  if (fixed) return { class: space, version, shape, maxShape: shape.slice(), fixed };
  const maxAt = reader.offset;
  const maxShape = decodeShape(reader, rank, widths, "maximum dimension");
  shape.forEach((size, axis) => {
    if (size > maxShape[axis]!) {
      reader.fail(
        `dimension ${axis} is ${size}, above its maximum ${maxShape[axis]}`,
        maxAt + axis * widths.lengthSize,
      );
    }
  });
  return { class: space, version, shape, maxShape, fixed };
}

function checkFlags(flags: number, version: number, address: number | undefined): number {
  if (flags <= HAS_MAX_SHAPE) return flags;
  const what = version === 1 && (flags & HAS_PERMUTATION) !== 0 ? "permutation indices" : `flags ${flags}`;
  throw new UnsupportedFeatureError(`${what} in a version ${version} message`, { structure: STRUCTURE, address });
}

function classOf(type: number, rank: number, reader: ByteReader): Dataspace["class"] {
  if (type > 2) reader.fail(`expected class 0 to 2, got ${type}`, 3);
  if (type !== 1 && rank > 0) reader.fail(`a scalar or null space has no dimensions, got ${rank}`, 1);
  return type === 0 ? "scalar" : type === 1 ? "simple" : "null";
}

function decodeShape(reader: ByteReader, rank: number, widths: Widths, name: string): number[] {
  const shape: number[] = [];
  for (let axis = 0; axis < rank; axis++) {
    const unlimited = widths.lengthSize === 8 && name === "maximum dimension";
    shape.push(unlimited ? (reader.lengthOrUndefined(widths, name) ?? Infinity) : reader.lengthField(widths, name));
  }
  return shape;
}

/** Bytes of the message {@link encodeDataspace} writes. */
export function sizeOfDataspace(space: Dataspace, widths: Widths): number {
  return (space.version === 1 ? 8 : 4) + space.shape.length * widths.lengthSize * (storesMaxShape(space) ? 2 : 1);
}

function storesMaxShape({ fixed, shape }: Dataspace): boolean {
  return fixed === undefined ? shape.length > 0 : !fixed;
}

/**
 * Encodes a dataspace message, the inverse of {@link decodeDataspace}.
 *
 * @throws InvalidArgumentError for a null space of version 1, more than 32 dimensions, dimensions of a scalar or null
 * space, a `maxShape` that does not fit `shape`, or a size that does not fit its field
 */
export function encodeDataspace(space: Dataspace, widths: Widths): Uint8Array<ArrayBuffer> {
  checkDataspace(space);
  const writer = new ByteWriter(sizeOfDataspace(space, widths), STRUCTURE);
  writer.u8(space.version);
  writer.u8(space.shape.length);
  writer.u8(storesMaxShape(space) ? HAS_MAX_SHAPE : 0);
  if (space.version === 1) writer.skip(5);
  else writer.u8(space.class === "scalar" ? 0 : space.class === "simple" ? 1 : 2);
  for (const size of space.shape) writer.uint(size, widths.lengthSize);
  for (const size of storesMaxShape(space) ? space.maxShape : []) {
    writer.lengthField(size === Infinity ? undefined : size, widths);
  }
  return writer.finish();
}

function checkDataspace({ class: kind, version, shape, maxShape }: Dataspace): void {
  if (kind === "null" && version === 1) refuse("a null space needs version 2");
  if (shape.length > MAX_RANK) refuse(`expected at most ${MAX_RANK} dimensions, got ${shape.length}`);
  if (kind !== "simple" && shape.length > 0) refuse(`a ${kind} space has no dimensions, got ${shape.length}`);
  if (maxShape.length !== shape.length) refuse(`expected ${shape.length} maximum dimensions, got ${maxShape.length}`);
  const axis = shape.findIndex((size, d) => !(size <= maxShape[d]!));
  if (axis >= 0) refuse(`dimension ${axis} is ${shape[axis]}, above its maximum ${maxShape[axis]}`);
}

function refuse(message: string): never {
  throw new InvalidArgumentError(message, { structure: STRUCTURE });
}

/**
 * Elements in a dense array of `shape`: their product, 1 for `[]`.
 *
 * @throws InvalidArgumentError above 2^53−1
 */
export function elementCount(shape: readonly number[]): number {
  if (shape.includes(0)) return 0;
  let count = 1;
  for (const size of shape) count *= size;
  if (count > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`shape ${shape.join("x")} has over 2^53-1 elements`);
  return count;
}

/** Elements of a dataspace: a null one has none, though its shape is a scalar's. */
export function dataspaceElementCount({ class: kind, shape }: Pick<Dataspace, "class" | "shape">): number {
  return kind === "null" ? 0 : elementCount(shape);
}
