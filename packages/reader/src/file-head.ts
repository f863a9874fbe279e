import {
  type ByteSource,
  type FileContext,
  locateSuperblock,
  offsetSource,
  run,
  type Superblock,
  type Widths,
} from "@h5/framing";
import { type Extension, readExtension } from "./extension.ts";
import { metadataSource } from "./input.ts";
import type { Settings, SignalOptions } from "./session.ts";

/** The superblock of a file, and the bytes of all of it. */
export interface Head {
  readonly superblock: Superblock;
  /** Of the superblock. */
  readonly address: number;
  readonly context: FileContext;
  readonly source: ByteSource;
  readonly cached: ByteSource;
}

/** What a file begins with. */
export interface Start extends Head {
  readonly extension: Extension;
}

/** Reads the superblock. */
export async function readHead(
  source: ByteSource,
  { limits, cache }: Pick<Settings, "limits" | "cache">,
  options: SignalOptions,
  foldAddress: Widths["foldAddress"],
): Promise<Head> {
  const cached = metadataSource(source, cache);
  const { superblock, address } = await run(locateSuperblock(foldAddress), cached, options);
  const { offsetSize, lengthSize, groupLeafK } = superblock;
  const context = { offsetSize, lengthSize, groupLeafK, limits, foldAddress };
  return { superblock, address, context, source, cached };
}

/** Reads what extends a superblock. */
export async function readRest(head: Head, options: SignalOptions): Promise<Start> {
  const { context, superblock, cached, address } = head;
  return { ...head, extension: await run(readExtension(context, superblock), offsetSource(cached, address), options) };
}
