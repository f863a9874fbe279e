import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/** How a file's free space is handled; of use to a writer only. */
export type FileSpaceInfo = {
  /** As numbered by `H5F_file_space_type_t` (version 0) or `H5F_fspace_strategy_t` (version 1). */
  readonly strategy: number;
  /** The smallest free section tracked, in bytes. */
  readonly threshold: number;
  /** Addresses of the free-space managers, where free space is kept: 6 in version 0, 12 in version 1. */
  readonly managerAddresses?: readonly (number | undefined)[] | undefined;
} & (
  | { readonly version: 0 }
  | {
      readonly version: 1;
      /** Bytes of a page of paged allocation. */
      readonly pageSize: number;
      readonly pageEndThreshold: number;
      /** End of the file's allocated space before the free-space managers' own. */
      readonly endOfAllocation?: number | undefined;
    }
);

const STRUCTURE = "file space info message";
/** Version 0's strategy that keeps free space. */
const ALL_PERSIST = 1;
const MANAGERS_VERSION0 = 6;
const MANAGERS_VERSION1 = 12;

/** Bytes of the message. */
export function sizeOfFileSpaceInfo(info: FileSpaceInfo, widths: Widths): number {
  const managers = (info.managerAddresses?.length ?? 0) * widths.offsetSize;
  if (info.version === 0) return 2 + widths.lengthSize + managers;
  return 5 + 2 * widths.lengthSize + widths.offsetSize + managers;
}

/**
 * Message 0x17 (spec IV.A.2.x), of the superblock extension.
 *
 *     version 0 (1.10.0 and before, `H5Ofsinfo.c`)      version 1
 *     1  version                                        1  version
 *     1  strategy, 1 to 4                               1  strategy, 0 to 3
 *     L  threshold                                      1  free space is kept
 *     6 × O  manager addresses (strategy 1)             L  threshold
 *                                                       L  page size
 *                                                       2  page end metadata threshold
 *                                                       O  end of allocation
 *                                                       12 × O  manager addresses (if kept)
 *
 * @throws UnsupportedFeatureError for another version; InvalidFieldError for a strategy out of range; UnexpectedEofError
 */
export function decodeFileSpaceInfo(body: Uint8Array, widths: Widths, address?: number): FileSpaceInfo {
  const reader = new ByteReader(body, STRUCTURE, address);
  const version = decodeVersion(reader, 0, 1);
  const strategy = reader.u8();
  if (version === 0) {
    if (strategy < 1 || strategy > 4) reader.fail(`strategy ${strategy}, expected 1 to 4`, 1);
    const threshold = reader.lengthField(widths, "threshold");
    const managers = strategy === ALL_PERSIST ? MANAGERS_VERSION0 : undefined;
    return { version, strategy, threshold, managerAddresses: decodeAddresses(reader, widths, managers) };
  }
  if (strategy > 3) reader.fail(`strategy ${strategy}, expected 0 to 3`, 1);
  const kept = reader.u8();
  if (kept > 1) reader.fail(`free space kept ${kept}, expected 0 or 1`, 2);
  return {
    version: 1,
    strategy,
    threshold: reader.lengthField(widths, "threshold"),
    pageSize: reader.lengthField(widths, "page size"),
    pageEndThreshold: reader.u16(),
    endOfAllocation: reader.offsetField(widths, "end of allocation"),
    managerAddresses: decodeAddresses(reader, widths, kept ? MANAGERS_VERSION1 : undefined),
  };
}

function decodeAddresses(reader: ByteReader, widths: Widths, count?: number): (number | undefined)[] | undefined {
  if (count === undefined) return undefined;
  const addresses: (number | undefined)[] = [];
  for (let i = 0; i < count; i++) addresses.push(reader.offsetField(widths, "free-space manager address"));
  return addresses;
}

/** The inverse of {@link decodeFileSpaceInfo}. */
export function encodeFileSpaceInfo(info: FileSpaceInfo, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfFileSpaceInfo(info, widths), STRUCTURE);
  writer.u8(info.version);
  writer.u8(info.strategy);
  if (info.version === 1) writer.u8(info.managerAddresses ? 1 : 0);
  writer.uint(info.threshold, widths.lengthSize);
  if (info.version === 1) {
    writer.uint(info.pageSize, widths.lengthSize);
    writer.u16(info.pageEndThreshold);
    writer.offsetField(info.endOfAllocation, widths);
  }
  for (const address of info.managerAddresses ?? []) writer.offsetField(address, widths);
  return writer.finish();
}
