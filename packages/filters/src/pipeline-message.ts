import { ByteReader, ByteWriter, decodeText, encodeText, InvalidArgumentError } from "@h5/framing";

/** Filters one pipeline may have: a chunk's filter mask has a bit for each (`H5Z_MAX_NFILTERS` in H5Zpublic.h). */
const MAX_FILTERS = 32;
/** In version 2, filters below this have no name (`H5Z_FILTER_RESERVED` in H5Zpublic.h). */
const FIRST_NAMED = 256;

const structure = "filter pipeline message";

/** One filter of a pipeline. */
export interface PipelineFilter {
  /** Filter identification value: 1 deflate, 2 shuffle, 3 fletcher32, 4 szip, 5 nbit, 6 scale-offset, others registered. */
  readonly id: number;
  /** The name stored with the filter. */
  readonly name?: string | undefined;
  /** Bytes the name takes, terminator and padding included; where it is not given, what libhdf5 would use. */
  readonly nameSize?: number | undefined;
  /** The flags as stored; bit 0 is `optional`. */
  readonly flags: number;
  /** An optional filter that fails is left out of the chunk, a mandatory one fails the write. */
  readonly optional: boolean;
  /** Client data, unsigned 32-bit each. */
  readonly params: readonly number[];
}

/** The filters every chunk goes through, in the order in which they are applied on writing. */
export interface FilterPipeline {
  readonly version: 1 | 2;
  readonly filters: readonly PipelineFilter[];
}

/**
 * Decodes the filter pipeline message, 0x0B.
 *
 *     0  version 1 or 2
 *     1  number of filters
 *     2  version 1: 6 bytes reserved
 *     each filter:
 *        u16 identification value
 *        u16 name length; not there in version 2 for values below 256; a multiple of 8 in version 1
 *        u16 flags
 *        u16 number of client data values
 *        name, NUL-terminated, NUL-padded to its length
 *        u32 client data, each; version 1: 4 bytes of padding after an odd number
 *
 * Spec IV.A.2.l; H5Opline.c.
 *
 * @throws InvalidFieldError for another version or more than 32 filters, UnexpectedEofError where the body is too short
 */
export function decodeFilterPipeline(body: Uint8Array, address?: number): FilterPipeline {
  const reader: ByteReader = new ByteReader(body, structure, address);
  const version = reader.u8();
  if (version !== 1 && version !== 2) reader.fail(`expected version 1 or 2, got ${version}`, 0);
  const count = reader.u8();
  if (count > MAX_FILTERS) reader.fail(`expected at most ${MAX_FILTERS} filters, got ${count}`, 1);
  if (version === 1) reader.skip(6);
  const filters: PipelineFilter[] = [];
  for (let i = 0; i < count; i++) filters.push(decodeFilter(reader, version));
  return { version, filters };
}

function decodeFilter(reader: ByteReader, version: 1 | 2): PipelineFilter {
  const id = reader.u16();
  const nameSize = hasName(version, id) ? reader.u16() : 0;
  if (version === 1 && nameSize % 8 !== 0) {
    reader.fail(`expected a name length that is a multiple of 8, got ${nameSize}`, reader.offset - 2);
  }
  const flags = reader.u16();
  const count = reader.u16();
  const name = nameSize === 0 ? undefined : untilNul(reader.take(nameSize));
  const params: number[] = [];
  for (let i = 0; i < count; i++) params.push(reader.u32());
  if (version === 1 && count % 2 === 1) reader.skip(4);
  return { id, ...(nameSize > 0 && { name, nameSize }), flags, optional: (flags & 1) === 1, params };
}

function hasName(version: 1 | 2, id: number): boolean {
  return version === 1 || id >= FIRST_NAMED;
}

function untilNul(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return decodeText(end < 0 ? bytes : bytes.subarray(0, end));
}

/** Bytes of the message {@link encodeFilterPipeline} makes. */
export function sizeOfFilterPipeline({ version, filters }: FilterPipeline): number {
  let size = version === 1 ? 8 : 2;
  for (const filter of filters) {
    const count = filter.params.length;
    const words = version === 1 ? count + (count % 2) : count;
    size += (hasName(version, filter.id) ? 8 : 6) + nameSizeOf(version, filter) + 4 * words;
  }
  return size;
}

/**
 * Encodes what {@link decodeFilterPipeline} decodes.
 *
 * @throws InvalidArgumentError for more than 32 filters, a name that does not fit its size, or `optional` and `flags`
 * that disagree
 */
export function encodeFilterPipeline(pipeline: FilterPipeline): Uint8Array<ArrayBuffer> {
  const { version, filters } = pipeline;
  if (filters.length > MAX_FILTERS) {
    throw new InvalidArgumentError(`expected at most ${MAX_FILTERS} filters, got ${filters.length}`, { structure });
  }
  const writer = new ByteWriter(sizeOfFilterPipeline(pipeline), structure);
  writer.u8(version);
  writer.u8(filters.length);
  if (version === 1) writer.skip(6);
  for (const filter of filters) encodeFilter(writer, version, filter);
  return writer.finish();
}

function encodeFilter(writer: ByteWriter, version: 1 | 2, filter: PipelineFilter): void {
  const { id, flags, optional, params } = filter;
  if (optional !== ((flags & 1) === 1)) {
    throw new InvalidArgumentError(`filter ${id}: optional is ${optional}, flags are ${flags}`, { structure });
  }
  const nameSize = nameSizeOf(version, filter);
  writer.u16(id);
  if (hasName(version, id)) writer.u16(nameSize);
  writer.u16(flags);
  writer.u16(params.length);
  if (nameSize > 0) {
    const name = encodeText(filter.name ?? "");
    writer.put(name);
    writer.skip(nameSize - name.length);
  }
  for (const param of params) writer.u32(param);
  if (version === 1 && params.length % 2 === 1) writer.skip(4);
}

function nameSizeOf(version: 1 | 2, { id, name, nameSize }: PipelineFilter): number {
  if (!hasName(version, id)) return 0;
  const length = name === undefined ? 0 : encodeText(name).length;
  if (nameSize === undefined) {
    if (name === undefined) return 0;
    return version === 1 ? Math.ceil((length + 1) / 8) * 8 : length + 1;
  }
  if (length > nameSize || (version === 1 && nameSize % 8 !== 0)) {
    throw new InvalidArgumentError(`filter ${id}: name "${name}" in ${nameSize} bytes`, { structure });
  }
  return nameSize;
}
