import { UnsupportedFeatureError } from "./errors.ts";
import type { Limits } from "./limits.ts";

/**
 * Widths in bytes of the two variable-width fields of a file, from its superblock (spec II.A: Size of Offsets, Size of
 * Lengths): 2, 4 or 8 each.
 */
export interface Widths {
  readonly offsetSize: number;
  readonly lengthSize: number;
  /**
   * What stands for an address beyond 2^53−1. Such are those in files of the multi driver, whose members have far parts
   * of one address space (H5FDmulti.c); in any other file they are errors.
   */
  readonly foldAddress?: ((address: bigint) => number) | undefined;
}

/** What a plan over a file must know of it. */
export interface FileContext extends Widths {
  readonly limits: Limits;
  /** Half as many entries as a group's symbol table node has room for, where that is known. */
  readonly groupLeafK?: number | undefined;
  /** What plans that look something up have decoded and checked, for those after them; without it nothing is kept. */
  readonly kept?: KeptStructures | undefined;
}

/**
 * Decoded structures by what leads to them: the object that points at one, whose identity stands for all its decoding
 * depends on, or for the first of them a text of signature and address. It may forget any of them at any time.
 */
export interface KeptStructures {
  get(key: object | string): unknown;
  /** @param weight - about the bytes that `value` takes */
  set(key: object | string, value: unknown, weight: number): void;
}

/** Checks a width field; libhdf5 could also be built for 16 and 32, which no file seen uses. */
export function checkWidth(name: string, width: number, structure: string, address?: number): number {
  if (width === 2 || width === 4 || width === 8) return width;
  throw new UnsupportedFeatureError(`${name} ${width}, expected 2, 4 or 8`, { structure, address });
}

/** Bytes needed to hold `value` (at least 1), the width libhdf5 gives most variable-width counts. */
export function bytesFor(value: number): number {
  let bytes = 1;
  for (let rest = Math.floor(value / 256); rest >= 1; rest = Math.floor(rest / 256)) bytes++;
  return bytes;
}

/** Floor of the base-2 logarithm of a positive integer up to 2^53−1, exactly. */
export function log2Floor(value: number): number {
  return value < 4294967296 ? 31 - Math.clz32(value) : 32 + (31 - Math.clz32(Math.floor(value / 4294967296)));
}
