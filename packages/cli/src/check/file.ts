import { type Decoder, defaultFilters } from "@h5/filters";
import {
  type ByteSource,
  cachedSource,
  defaultLimits,
  endOfFile,
  isH5Error,
  type Limits,
  messageType,
  offsetSource,
  overlaySource,
  type Plan,
  run,
  type Superblock,
} from "@h5/framing";
import type { ExternalSources } from "@h5/reader";
import { type Check, guard } from "./check.ts";
import { checkUnusedObjects } from "./elements.ts";
import { checkExtension, checkFileSpace, type Extension, NO_NUMBER } from "./extension.ts";
import { type Finding, findingOf } from "./finding.ts";
import { followLink } from "./links.ts";
import { type JoinedFile, wholeFile } from "./members.ts";
import { checkLinkCounts, checkObjects, checkReferences } from "./object.ts";
import { checkOtherFiles } from "./other-files.ts";
import { checkEnd, partIn, type Region, regionsOf } from "./parts.ts";
import { checkSharedMessages, checkUses, type SharedRecords } from "./shared-messages.ts";
import { SpaceMap } from "./space-map.ts";
import { checkSuperblock, findSuperblock } from "./superblock.ts";
import { checkCachedTables, noteCached } from "./symbol-table.ts";
import { checkSpace } from "./unclaimed.ts";

/** Options of {@link checkFile}. */
export interface CheckOptions {
  /** Reads all raw data too, undoes its filters and follows the references in it. */
  readonly data?: boolean | undefined;
  /** Decoders of filters; by default the built-in ones. */
  readonly filters?: readonly Decoder[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Where other files come from; without it, they are not looked for. */
  readonly external?: ExternalSources | undefined;
  /** What the file is called, for `external`. */
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes of metadata that are read in all: speculation included, those of the file this many times, and some more. */
const READINGS = 16;
const FREE_READING = 67108864;

/**
 * Checks all that can be reached from the superblock: signatures, checksums, fields, bounds; that structures do not lie
 * over each other; that counts, indexes and references agree with what they count and lead to. What is broken hides
 * nothing beside it. A file that a driver has put into several is checked as the one that it is.
 *
 * @returns the findings in the order of their addresses; none for a file that is as it should be
 * @throws InvalidFieldError for what is not an HDF5 file, SourceError where a source fails, the signal's reason
 */
export async function checkFile(source: ByteSource, options: CheckOptions = {}): Promise<Finding[]> {
  const findings = await findingsOf(source, options, undefined);
  return findings.sort((a, b) => (a.address ?? -1) - (b.address ?? -1));
}

/** What is wrong with a file that is at hand, or with one that was put together of several. */
async function findingsOf(source: ByteSource, options: CheckOptions, joined?: JoinedFile): Promise<Finding[]> {
  const { signal } = options;
  const cached = cachedSource(source);
  const far: bigint[] = [];
  const foldFar = (address: bigint): number => {
    far.push(address);
    return NO_NUMBER;
  };
  const { superblock, address, error } = await run(findSuperblock(joined?.foldAddress ?? foldFar), cached, { signal });
  if (superblock === undefined) return [findingOf(error!, undefined)];
  const metadata = offsetSource(cached, address);
  const expected = { name: undefined, start: 0, end: endOfFile(superblock) };
  const parts = joined?.parts ?? [await partIn(metadata, expected, 0, { signal })];
  const check = newCheck(superblock, options, { parts, foldAddress: joined?.foldAddress });
  if (error !== undefined) check.findings.push(findingOf(error, undefined));
  checkSuperblock(check);
  for (const part of parts) checkEnd(check, part);
  try {
    const extension = await run(checkExtension(check), metadata, { signal });
    if (joined === undefined) {
      const head = { superblock, address, source };
      const whole = await wholeFile(check, { head, far, driver: extension.driver }, options);
      if (whole === null) return check.findings;
      if (whole !== undefined) return await findingsOf(whole.source, options, whole);
    }
    const regions = regionsOf(parts, superblock.consistencyFlags !== 0);
    await run(checkRest(check, extension, regions), overlaySource(metadata, extension.image), { signal });
    await checkOtherFiles(check, source, options);
  } catch (error) {
    if (!isH5Error(error, "LIMIT_EXCEEDED") || check.budget >= 0) throw error;
    check.findings.push(findingOf(error, undefined));
  }
  return check.findings;
}

function newCheck(
  superblock: Superblock,
  options: CheckOptions,
  { parts, foldAddress }: Pick<JoinedFile, "parts" | "foldAddress">,
): Check {
  const { offsetSize, lengthSize, groupLeafK = 4, groupInternalK = 16, chunkInternalK = 32 } = superblock;
  const size = parts.reduce((sum, { start, end, bytes = end }) => sum + bytes - start, 0);
  return {
    offsetSize,
    lengthSize,
    foldAddress,
    limits: { ...defaultLimits, ...options.limits },
    superblock,
    filters: options.filters ?? defaultFilters,
    data: options.data === true,
    space: new SpaceMap(),
    findings: [],
    k: { groupLeafK, groupInternalK, chunkInternalK },
    sharedIndexes: [],
    sharedUses: new Map(),
    queue: [],
    links: new Map(),
    symbolTables: new Map(),
    cachedTables: [],
    otherFiles: [],
    references: [],
    collections: new Map(),
    heapUses: new Map(),
    heapDataSkipped: false,
    budget: READINGS * size + FREE_READING,
  };
}

function* checkRest(check: Check, { messages }: Extension, regions: readonly Region[]): Plan<void> {
  let shared: SharedRecords[] = [];
  for (const message of messages) {
    if (message.type === messageType.sharedMessageTable) shared = yield* checkSharedMessages(check, message);
    if (message.type === messageType.fileSpaceInfo) yield* guard(check, undefined, checkFileSpace(check, message));
  }
  const { rootAddress, rootEntry } = check.superblock;
  followLink(check, "", "", rootAddress);
  if (rootEntry !== undefined) noteCached(check, rootEntry, 0, "/");
  const counts = yield* checkObjects(check);
  checkLinkCounts(check, counts);
  checkReferences(check, counts);
  checkUses(check, shared);
  checkCachedTables(check, counts);
  checkUnusedObjects(check);
  yield* checkSpace(check, regions);
}
