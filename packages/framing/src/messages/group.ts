import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { decodeFlags, decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/** Constants of a new-style group, each pair present where it is not the default. */
export interface GroupInfo {
  /** When links move between header and dense storage; default 8 and 6. */
  readonly linkPhaseChange?: { readonly maxCompact: number; readonly minDense: number } | undefined;
  /** What the creator expected; default 4 entries with names of 8 bytes. */
  readonly estimate?: { readonly entries: number; readonly nameLength: number } | undefined;
}

const GROUP_INFO = "group info message";
const PHASE_CHANGE = 0x01;
const ESTIMATE = 0x02;

/** Bytes of the group info message. */
export function sizeOfGroupInfo(info: GroupInfo): number {
  return 2 + (info.linkPhaseChange ? 4 : 0) + (info.estimate ? 4 : 0);
}

/**
 * Message 0x0A (spec IV.A.2.k).
 *
 *     1  version (0)
 *     1  flags
 *     2  maximum compact value            (flag 0x01)
 *     2  minimum dense value              (flag 0x01)
 *     2  estimated number of entries      (flag 0x02)
 *     2  estimated length of a name       (flag 0x02)
 *
 * @throws UnsupportedFeatureError for another version, InvalidFieldError for unknown flags, UnexpectedEofError
 */
export function decodeGroupInfo(body: Uint8Array, address?: number): GroupInfo {
  const reader = new ByteReader(body, GROUP_INFO, address);
  decodeVersion(reader, 0);
  const flags = decodeFlags(reader, PHASE_CHANGE | ESTIMATE);
  return {
    linkPhaseChange: flags & PHASE_CHANGE ? { maxCompact: reader.u16(), minDense: reader.u16() } : undefined,
    estimate: flags & ESTIMATE ? { entries: reader.u16(), nameLength: reader.u16() } : undefined,
  };
}

/** The inverse of {@link decodeGroupInfo}. */
export function encodeGroupInfo(info: GroupInfo): Uint8Array<ArrayBuffer> {
  const { linkPhaseChange, estimate } = info;
  const writer = new ByteWriter(sizeOfGroupInfo(info), GROUP_INFO);
  writer.u8(0);
  writer.u8((linkPhaseChange ? PHASE_CHANGE : 0) | (estimate ? ESTIMATE : 0));
  if (linkPhaseChange) {
    writer.u16(linkPhaseChange.maxCompact);
    writer.u16(linkPhaseChange.minDense);
  }
  if (estimate) {
    writer.u16(estimate.entries);
    writer.u16(estimate.nameLength);
  }
  return writer.finish();
}

/** Where an old-style group keeps its links. */
export interface SymbolTable {
  /** Address of the version 1 B-tree. */
  readonly btreeAddress: number;
  /** Address of the local heap with the names. */
  readonly heapAddress: number;
}

const SYMBOL_TABLE = "symbol table message";

/** Bytes of the symbol table message. */
export function sizeOfSymbolTableMessage(widths: Widths): number {
  return 2 * widths.offsetSize;
}

/**
 * Message 0x11 (spec IV.A.2.r).
 *
 *     O  B-tree address
 *     O  local heap address
 *
 * @throws InvalidFieldError for an undefined address, UnexpectedEofError
 */
export function decodeSymbolTableMessage(body: Uint8Array, widths: Widths, address?: number): SymbolTable {
  const reader = new ByteReader(body, SYMBOL_TABLE, address);
  return {
    btreeAddress: reader.definedOffset(widths, "B-tree address"),
    heapAddress: reader.definedOffset(widths, "local heap address"),
  };
}

/** The inverse of {@link decodeSymbolTableMessage}. */
export function encodeSymbolTableMessage(table: SymbolTable, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSymbolTableMessage(widths), SYMBOL_TABLE);
  writer.offsetField(table.btreeAddress, widths);
  writer.offsetField(table.heapAddress, widths);
  return writer.finish();
}
