import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { InvalidArgumentError } from "../errors.ts";
import { decodeVersion } from "../version-and-flags.ts";

/** What unwritten elements hold, and when storage gets allocated and filled. */
export interface FillValue {
  /** 0 for the old message, which has no version. */
  readonly version: 0 | 1 | 2 | 3;
  /** When storage is allocated; undefined where that is left to the layout. */
  readonly allocationTime?: "early" | "late" | "incremental" | undefined;
  /** When the fill value is written: on allocation, never, or if the user set one. */
  readonly writeTime: "allocation" | "never" | "ifset";
  /** False where the user made the fill value undefined: unwritten elements hold anything. */
  readonly defined: boolean;
  /** One element as stored; where undefined and `defined`, the fill value is zero bytes. */
  readonly value?: Uint8Array | undefined;
}

const STRUCTURE = "fill value message";
const OLD_STRUCTURE = "fill value (old) message";
const allocationTimes = [undefined, "early", "late", "incremental"] as const;
const writeTimes = ["allocation", "never", "ifset"] as const;

/** Bits of version 3's flags. */
const ALLOCATION_MASK = 0x03;
const WRITE_SHIFT = 2;
const UNDEFINED = 0x10;
const HAS_VALUE = 0x20;

/** Bytes of the message, {@link encodeFillValue}'s or {@link encodeOldFillValue}'s by its version. */
export function sizeOfFillValue(fill: FillValue): number {
  const length = fill.value?.length ?? 0;
  if (fill.version === 0) return 4 + length;
  if (fill.version === 3) return 2 + (fill.value ? 4 + length : 0);
  return 4 + (fill.defined ? 4 + length : 0);
}

/**
 * Message 0x05 (spec IV.A.2.f), versions 1 to 3.
 *
 *     versions 1, 2                             version 3
 *     1  version                                1  version
 *     1  allocation time                        1  flags: 0x03 allocation time, 0x0c write time,
 *     1  write time                                0x10 undefined, 0x20 has a value
 *     1  defined                                4  size    (0x20)
 *     4  size    (if defined)                   n  value   (0x20)
 *     n  value   (if defined)
 *
 * @throws UnsupportedFeatureError for another version; InvalidFieldError for reserved bits or times, or a value that is
 *   undefined and there; UnexpectedEofError
 */
export function decodeFillValue(body: Uint8Array, address?: number): FillValue {
  const reader = new ByteReader(body, STRUCTURE, address);
  const version = decodeVersion(reader, 1, 3) as 1 | 2 | 3;
  return version === 3 ? decodeVersion3(reader) : decodeVersion12(reader, version);
}

function decodeVersion12(reader: ByteReader, version: 1 | 2): FillValue {
  const allocation = reader.u8();
  if (allocation > 3) reader.fail(`allocation time ${allocation}`, 1);
  const writeTime = decodeWriteTime(reader.u8(), reader);
  const defined = reader.u8();
  if (defined > 1) reader.fail(`fill value defined ${defined}, expected 0 or 1`, 3);
  const size = defined ? reader.u32() : 0;
  return {
    version,
    allocationTime: allocationTimes[allocation],
    writeTime,
    defined: defined === 1,
    value: size > 0 ? reader.take(size) : undefined,
  };
}

function decodeVersion3(reader: ByteReader): FillValue {
  const flags = reader.u8();
  if (flags > 0x3f || (flags & UNDEFINED && flags & HAS_VALUE)) reader.fail(`flags 0x${flags.toString(16)}`, 1);
  return {
    version: 3,
    allocationTime: allocationTimes[flags & ALLOCATION_MASK],
    writeTime: decodeWriteTime((flags >> WRITE_SHIFT) & 3, reader),
    defined: (flags & UNDEFINED) === 0,
    value: flags & HAS_VALUE ? reader.take(reader.u32()) : undefined,
  };
}

function decodeWriteTime(time: number, reader: ByteReader): FillValue["writeTime"] {
  return writeTimes[time] ?? reader.fail(`write time ${time}`, reader.offset - 1);
}

/** The inverse of {@link decodeFillValue}. */
export function encodeFillValue(fill: FillValue): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfFillValue(fill), STRUCTURE);
  const { version, defined, value } = fill;
  if (version === 0) throw new InvalidArgumentError("version 0 is the old message", { structure: STRUCTURE });
  const allocation = allocationTimes.indexOf(fill.allocationTime);
  const writeTime = writeTimes.indexOf(fill.writeTime);
  writer.u8(version);
  if (version === 3) {
    writer.u8(allocation | (writeTime << WRITE_SHIFT) | (defined ? 0 : UNDEFINED) | (value ? HAS_VALUE : 0));
    if (value) putValue(writer, value);
  } else {
    writer.u8(allocation);
    writer.u8(writeTime);
    writer.u8(defined ? 1 : 0);
    if (defined) putValue(writer, value);
  }
  return writer.finish();
}

/**
 * Message 0x04 (spec IV.A.2.e), of releases before 1.6. An empty value is an undefined one, and the times are the ones
 * libhdf5 takes for it (`H5Ofill.c`).
 *
 *     4  size
 *     n  value
 *
 * @throws UnexpectedEofError
 */
export function decodeOldFillValue(body: Uint8Array, address?: number): FillValue {
  const reader = new ByteReader(body, OLD_STRUCTURE, address);
  const size = reader.u32();
  const value = size > 0 ? reader.take(size) : undefined;
  return { version: 0, allocationTime: "late", writeTime: "ifset", defined: value !== undefined, value };
}

/** The inverse of {@link decodeOldFillValue}. */
export function encodeOldFillValue(fill: FillValue): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfFillValue({ ...fill, version: 0 }), OLD_STRUCTURE);
  putValue(writer, fill.value);
  return writer.finish();
}

function putValue(writer: ByteWriter, value: Uint8Array | undefined): void {
  writer.u32(value?.length ?? 0);
  if (value) writer.put(value);
}
