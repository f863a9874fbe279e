import { type Decoder, defaultFilters } from "@h5/filters";
import {
  appendChecksum,
  attempt,
  type ByteSource,
  ByteWriter,
  type CacheImageEntry,
  cachedSource,
  consistencyFlag,
  decodeBtreeK,
  decodeCacheImage,
  decodeCacheImageBlock,
  decodeDriverInfo,
  decodeDriverInfoBlock,
  decodeFileSpaceInfo,
  decodeSuperblock,
  defaultLimits,
  endOfFile,
  type H5Error,
  type HeaderMessage,
  isH5Error,
  type Limits,
  locateSuperblock,
  messageType,
  need,
  offsetSource,
  overlaySource,
  type Plan,
  run,
  type Superblock,
  sizeOfDriverInfoBlock,
  sizeOfSuperblock,
} from "@h5/framing";
import { readGlobalHeapCollection } from "@h5/heap";
import { type Check, guard, guardNow, read, spend, warn } from "./check.ts";
import { type Finding, findingOf } from "./finding.ts";
import { checkFreeSpace } from "./free-space.ts";
import { followLink } from "./links.ts";
import { checkLinkCounts, checkObjects, checkReferences } from "./object.ts";
import { checkHeader } from "./object-header.ts";
import { checkSharedMessages, checkUses, type SharedRecords } from "./shared-messages.ts";
import { SpaceMap } from "./space-map.ts";

/** Options of {@link checkFile}. */
export interface CheckOptions {
  /** Reads all raw data too, undoes its filters and follows the references in it. */
  readonly data?: boolean | undefined;
  /** Decoders of filters; by default the built-in ones. */
  readonly filters?: readonly Decoder[] | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the superblock extension leads to. */
interface Extension {
  readonly messages: readonly HeaderMessage[];
  /** Metadata that takes the place of what is in the file. */
  readonly image: readonly CacheImageEntry[];
  /** Driver that has put the file into several. */
  readonly driver: string | undefined;
}

const SUPERBLOCK = "superblock";
/** What stands for a path in findings about the superblock extension. */
const EXTENSION = "superblock extension";

/** Stands for an address beyond 2^53−1, as members of a multi file have. */
const NO_NUMBER: number = Number.MAX_SAFE_INTEGER;

/** Bytes of metadata that are read in all: speculation included, those of the file this many times, and some more. */
const READINGS = 16;
const FREE_READING = 67108864;

/**
 * Checks all that can be reached from the superblock: signatures, checksums, fields, bounds; that structures do not lie
 * over each other; that counts, indexes and references agree with what they count and lead to. What is broken hides
 * nothing beside it.
 *
 * @returns the findings in the order of their addresses; none for a file that is as it should be
 * @throws InvalidFieldError for what is not an HDF5 file, SourceError where the source fails, the signal's reason
 */
export async function checkFile(source: ByteSource, options: CheckOptions = {}): Promise<Finding[]> {
  const { signal } = options;
  const cached = cachedSource(source);
  const { superblock, address, error } = await run(findSuperblock(), cached, { signal });
  if (superblock === undefined) return [findingOf(error!, undefined)];
  const metadata = offsetSource(cached, address);
  const end = endOfFile(superblock);
  const rest = await run(need("file", Math.min(Math.max(0, end - 1), NO_NUMBER - 2), 2, 0), metadata, { signal });
  const bytes = metadata.byteLength ?? (rest.length === 1 ? end : undefined);
  const check = newCheck(superblock, options, READINGS * (bytes ?? end) + FREE_READING);
  if (error !== undefined) check.findings.push(findingOf(error, undefined));
  checkEnds(check, end, { bytes, atEnd: rest.length });
  if (superblock.extensionAddress === NO_NUMBER) return withoutMembers(check, "NCSAmult");
  try {
    const extension = await run(checkExtension(check), metadata, { signal });
    if (extension.driver !== undefined) return withoutMembers(check, extension.driver);
    await run(checkRest(check, extension, { end, bytes }), overlaySource(metadata, extension.image), { signal });
  } catch (error) {
    if (!isH5Error(error, "LIMIT_EXCEEDED") || check.budget >= 0) throw error;
    check.findings.push(findingOf(error, undefined));
  }
  return check.findings.sort((a, b) => (a.address ?? -1) - (b.address ?? -1));
}

function withoutMembers(check: Check, driver: string): Finding[] {
  warn(check, {
    structure: "driver information",
    address: undefined,
    message: `${driver}: one of several files that make one up, of which the others were not looked at`,
  });
  return check.findings;
}

/** The superblock, and what is wrong with it: one whose checksum alone is wrong says where the rest is. */
function* findSuperblock(): Plan<{ superblock?: Superblock; address: number; error?: H5Error }> {
  const fold = (): number => NO_NUMBER;
  const { value, error } = yield* attempt(locateSuperblock(fold));
  if (error === undefined) return value;
  const { address } = error;
  if (address === undefined) throw error;
  const { value: start } = yield* attempt(superblockAt(address));
  return { ...start, address: start?.address ?? address, error };
}

function newCheck(superblock: Superblock, options: CheckOptions, budget: number): Check {
  const { offsetSize, lengthSize, groupLeafK = 4, groupInternalK = 16, chunkInternalK = 32 } = superblock;
  return {
    offsetSize,
    lengthSize,
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
    references: [],
    collections: new Map(),
    heapDataSkipped: false,
    budget,
  };
}

/** A superblock whose checksum is taken for right. */
function* superblockAt(address: number): Plan<{ superblock: Superblock; address: number }> {
  const bytes = (yield* need(SUPERBLOCK, address, 100, 16)).slice();
  const size = sizeOfSuperblock({ version: bytes[8] === 3 ? 3 : 2, offsetSize: bytes[9]!, lengthSize: bytes[10]! });
  const writer = new ByteWriter(size, SUPERBLOCK);
  writer.put(bytes.subarray(0, size - 4));
  appendChecksum(writer);
  return { superblock: decodeSuperblock(writer.finish(), address), address };
}

/** Marks of a file that was not closed, and an end of file that is not where the superblock has it. */
function checkEnds(check: Check, end: number, { bytes, atEnd }: { bytes: number | undefined; atEnd: number }): void {
  const place = { structure: SUPERBLOCK, address: 0 };
  const { write, swmrWrite } = consistencyFlag;
  if (check.superblock.consistencyFlags & (write | swmrWrite)) {
    warn(check, { ...place, message: "marked as open for writing" });
  }
  if (atEnd === 0) {
    const got = bytes === undefined ? "" : `, got ${bytes}`;
    warn(check, { ...place, message: `expected a file of ${end} bytes${got}` });
  } else if (atEnd > 1) {
    const more = bytes === undefined ? "more" : `${bytes - end} more`;
    warn(check, { ...place, message: `the file ends at ${end}, and ${more} bytes follow` });
  }
}

/** Checks the superblock and what extends it. */
function* checkExtension(check: Check): Plan<Extension> {
  const { extensionAddress, driverInfoAddress } = check.superblock;
  check.space.claim(SUPERBLOCK, 0, sizeOfSuperblock(check.superblock), undefined);
  let driver: string | undefined;
  if (driverInfoAddress !== undefined) driver = yield* guard(check, undefined, driverBlock(check, driverInfoAddress));
  const header =
    extensionAddress === undefined
      ? undefined
      : yield* guard(check, undefined, checkHeader(check, extensionAddress, EXTENSION));
  const messages = header?.messages ?? [];
  const image: CacheImageEntry[] = [];
  for (const message of messages) {
    const { type, body, address } = message;
    if (type === messageType.driverInfo)
      driver = guardNow(check, undefined, () => decodeDriverInfo(body, address).name);
    if (type === messageType.btreeK) {
      check.k = guardNow(check, undefined, () => decodeBtreeK(body, address)) ?? check.k;
    }
    if (type !== messageType.cacheImage) continue;
    for (const entry of (yield* guard(check, undefined, readImage(check, message))) ?? []) image.push(entry);
  }
  return { messages, image, driver: driver === "NCSAfami" || driver === "NCSAmult" ? driver : undefined };
}

function* driverBlock(check: Check, address: number): Plan<string> {
  const structure = "driver information block";
  const info = decodeDriverInfoBlock(yield* read(check, structure, address, 1024, 16), address);
  check.space.claim(structure, address, sizeOfDriverInfoBlock(info), undefined);
  return info.name;
}

function* readImage(check: Check, message: HeaderMessage): Plan<CacheImageEntry[]> {
  const { address, length } = decodeCacheImage(message.body, check, message.address);
  if (address === undefined) return [];
  const structure = "metadata cache image";
  check.space.claim(structure, address, length, undefined);
  return decodeCacheImageBlock(yield* read(check, structure, address, length), check, address);
}

/** Where a file ends: as it says, and as it does, where that is known. */
interface Ends {
  readonly end: number;
  readonly bytes: number | undefined;
}

function* checkRest(check: Check, { messages }: Extension, ends: Ends): Plan<void> {
  let shared: SharedRecords[] = [];
  for (const message of messages) {
    if (message.type === messageType.sharedMessageTable) shared = yield* checkSharedMessages(check, message);
    if (message.type === messageType.fileSpaceInfo) yield* guard(check, undefined, checkFileSpace(check, message));
  }
  followLink(check, "", "", check.superblock.rootAddress);
  const counts = yield* checkObjects(check);
  checkLinkCounts(check, counts);
  checkReferences(check, counts);
  checkUses(check, shared);
  yield* checkSpace(check, ends);
}

function* checkFileSpace(check: Check, { body, address }: HeaderMessage): Plan<void> {
  // Release 1.10.0 could leave addresses here that it had yet to replace, which are near 2^64.
  const folded = { ...check, foldAddress: () => NO_NUMBER };
  const { managerAddresses = [] } = decodeFileSpaceInfo(body, folded, address);
  for (const manager of managerAddresses) {
    if (manager === NO_NUMBER) {
      warn(check, { structure: "file space info message", address, message: "a free-space manager at no address" });
    } else if (manager !== undefined) yield* checkFreeSpace(check, manager, undefined);
  }
}

/** Bytes that several structures claim, or none. */
function* checkSpace(check: Check, { end, bytes }: Ends): Plan<void> {
  const { space, findings, superblock } = check;
  // The end that is stored grows once a file is closed.
  const open = superblock.consistencyFlags !== 0 || (bytes ?? end) < end;
  const limit = open ? (bytes ?? end) : end;
  for (const finding of space.conflicts(limit)) findings.push(finding);
  if (check.heapDataSkipped) {
    for (const gap of [...space.gaps(limit)]) yield* claimCollections(check, gap);
  }
  for (const { start, end: stop } of space.gaps(limit)) {
    const message = `${stop - start} bytes, up to ${stop}, belong to no structure`;
    warn(check, { structure: "unused space", address: start, message });
  }
}

/** Claims the global heap collections in a gap: those of elements that were not read. */
function* claimCollections(check: Check, { start, end }: { readonly start: number; readonly end: number }): Plan<void> {
  for (let at = Math.ceil(start / 8) * 8; at < end; ) {
    const { value } = yield* attempt(readGlobalHeapCollection(check, at));
    if (value === undefined) return;
    spend(check, value.size, "global heap collection", at);
    check.space.claim("global heap collection", at, value.size, undefined);
    at += value.size;
  }
}
