import {
  type ByteSource,
  endOfFile,
  type FileContext,
  isH5Error,
  locateSuperblock,
  NotFoundError,
  offsetSource,
  run,
  type Superblock,
  type Widths,
} from "@h5/framing";
import { hasMembers, type MemberSpace, memberSpace, multiSpace, type RootMember } from "./driver-members.ts";
import { type Extension, readExtension } from "./extension.ts";
import { extensionPlaces } from "./extension-places.ts";
import { metadataSource } from "./input.ts";
import type { Settings, SignalOptions } from "./session.ts";

/** The superblock of a file, and the bytes of all of it. */
interface Head {
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

/** The member at hand of what may be several, by its name. */
interface NamedRoot extends RootMember {
  readonly name: string | undefined;
}

/**
 * Reads the start of a file, which says whether it consists of more files than the one that it is in.
 *
 * @throws InvalidFieldError for what is not an HDF5 file; where it consists of several, UnsupportedFeatureError without a
 *   resolver and NotFoundError without what tells of them
 */
export async function readStart(
  name: string | undefined,
  whole: ByteSource,
  settings: Settings,
  options: SignalOptions,
): Promise<Start> {
  const far: bigint[] = [];
  // Addresses that are no numbers are right in a file of the multi driver, which it is too early to know.
  const fold = (address: bigint): number => {
    far.push(address);
    return Number.MAX_SAFE_INTEGER;
  };
  const strictly = (): Promise<Start> => readStartOf(whole, settings, options, undefined);
  const head = await readHead(whole, settings, options, fold);
  const root = { ...rootMember(name, head, settings), name };
  let start: Start;
  try {
    start = await readRest(head, options);
  } catch (error) {
    const extension = extensionBeyond(head.superblock, far);
    if (isH5Error(error, "UNEXPECTED_EOF", "INVALID_FIELD") && extension !== undefined) {
      return await readScattered(extension, root, settings, { ...options, cause: error });
    }
    if (far.length > 0) return await strictly();
    throw error;
  }
  const { driver } = start.extension;
  if (hasMembers(driver)) return await readJoined(memberSpace(driver, root), settings, options);
  return far.length > 0 ? await strictly() : { ...start, context: { ...start.context, foldAddress: undefined } };
}

/** Address of a superblock extension that is beyond the file's end, as it is where a member has it that is not at hand. */
function extensionBeyond(superblock: Superblock, far: readonly bigint[]): bigint | undefined {
  const { extensionAddress } = superblock;
  if (extensionAddress === undefined || extensionAddress < endOfFile(superblock)) return undefined;
  // It is the first address of those a superblock has that may be beyond the others.
  return extensionAddress === Number.MAX_SAFE_INTEGER ? far[0] : BigInt(extensionAddress);
}

/** Reads the start of a multi file whose superblock extension is in a member that it alone tells of. */
async function readScattered(
  extension: bigint,
  root: NamedRoot,
  settings: Settings,
  { cause, ...options }: SignalOptions & { readonly cause: unknown },
): Promise<Start> {
  const tried: string[] = [];
  for (const place of extensionPlaces(extension + BigInt(root.baseAddress), root.name)) {
    const superblock = { name: "superblock", address: 0n, holdsSuperblock: true };
    const space = multiSpace([superblock, { ...place, holdsSuperblock: false }], root);
    tried.push(place.name);
    try {
      const { driver } = (await readJoined(space, settings, options)).extension;
      if (driver?.name === "NCSAmult") return await readJoined(memberSpace(driver, root), settings, options);
    } catch (error) {
      // A member of another kind or file, one that is not there, one that may not be opened.
      if (!isH5Error(error, "INVALID_FIELD", "UNEXPECTED_EOF", "NOT_FOUND", "UNSUPPORTED_FEATURE")) throw error;
    }
  }
  const names = [...new Set(tried)].map((name) => JSON.stringify(name)).join(", ");
  throw new NotFoundError(`no member of a multi file with its superblock extension; looked for ${names}`, { cause });
}

function rootMember(name: string | undefined, head: Head, { files }: Settings): RootMember {
  const open = async (member: string, { signal }: SignalOptions): Promise<ByteSource | null> => {
    const file = await files.request(member, { kind: "driver member", from: name, signal });
    return file?.source ?? null;
  };
  return {
    source: head.source,
    baseAddress: head.address,
    end: head.address + endOfFile(head.superblock),
    open: files.sources && open,
  };
}

function readJoined({ source, foldAddress }: MemberSpace, settings: Settings, options: SignalOptions): Promise<Start> {
  return readStartOf(source, settings, options, foldAddress);
}

async function readStartOf(
  source: ByteSource,
  settings: Settings,
  options: SignalOptions,
  foldAddress: Widths["foldAddress"],
): Promise<Start> {
  return await readRest(await readHead(source, settings, options, foldAddress), options);
}

async function readHead(
  source: ByteSource,
  { limits, cache }: Settings,
  options: SignalOptions,
  foldAddress: Widths["foldAddress"],
): Promise<Head> {
  const cached = metadataSource(source, cache);
  const { superblock, address } = await run(locateSuperblock(foldAddress), cached, options);
  const { offsetSize, lengthSize } = superblock;
  return { superblock, address, context: { offsetSize, lengthSize, limits, foldAddress }, source, cached };
}

async function readRest(head: Head, options: SignalOptions): Promise<Start> {
  const { context, superblock, cached, address } = head;
  return { ...head, extension: await run(readExtension(context, superblock), offsetSource(cached, address), options) };
}
