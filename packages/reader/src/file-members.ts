import {
  type ByteSource,
  type DriverInfo,
  endOfFile,
  isH5Error,
  NotFoundError,
  type Superblock,
  type Widths,
} from "@h5/framing";
import { type MemberSpace, memberSpace, multiSpace, type RootMember } from "./driver-members.ts";
import { hasMembers } from "./extension.ts";
import { extensionPlaces } from "./extension-places.ts";
import { readHead, readRest, type Start } from "./file-head.ts";
import { requestFile } from "./request-file.ts";
import type { Settings, SignalOptions } from "./session.ts";

/** What was seen of a file that may consist of several. */
export interface Beginning {
  readonly name: string | undefined;
  /** The superblock, its address, and the bytes of all of the file. */
  readonly head: { readonly superblock: Superblock; readonly address: number; readonly source: ByteSource };
  /** The addresses that are no numbers. */
  readonly far: readonly bigint[];
  readonly driver: DriverInfo | undefined;
  /** Why nothing beyond the superblock could be read. */
  readonly cause: unknown;
}

/** What of the settings counts before a file is open. */
type MemberSettings = Pick<Settings, "limits" | "cache" | "files">;

/** The member at hand of what may be several, by its name. */
interface NamedRoot extends RootMember {
  readonly name: string | undefined;
}

/**
 * Reads the start of a file that may consist of several, all of them together.
 *
 * @throws as `readStart` does, `cause` where the file is one
 */
export async function readMembers(beginning: Beginning, settings: Settings, options: SignalOptions): Promise<Start> {
  const space = await findMembers(beginning, settings, options);
  if (space !== undefined) return await readJoined(space, settings, options);
  if (beginning.far.length === 0) throw beginning.cause;
  return await readStrictly(beginning.head.source, settings, options);
}

/**
 * The address space of a file that consists of several; `undefined` where it is one.
 *
 * @throws UnsupportedFeatureError without a resolver, NotFoundError without what tells of the members
 */
export async function findMembers(
  { name, head, far, driver, cause }: Beginning,
  settings: MemberSettings,
  options: SignalOptions,
): Promise<MemberSpace | undefined> {
  const root = { ...rootMember(name, head, settings), name };
  const extension = extensionBeyond(head.superblock, far);
  if (isH5Error(cause, "UNEXPECTED_EOF", "INVALID_FIELD") && extension !== undefined) {
    return await findScattered(extension, root, settings, { ...options, cause });
  }
  return hasMembers(driver) ? memberSpace(driver, root) : undefined;
}

/** Address of a superblock extension that is beyond the file's end, as it is where a member has it that is not at hand. */
function extensionBeyond(superblock: Superblock, far: readonly bigint[]): bigint | undefined {
  const { extensionAddress } = superblock;
  if (extensionAddress === undefined || extensionAddress < endOfFile(superblock)) return undefined;
  // It is the first address of those a superblock has that may be beyond the others.
  return extensionAddress === Number.MAX_SAFE_INTEGER ? far[0] : BigInt(extensionAddress);
}

/** The address space of a multi file whose superblock extension is in a member that it alone tells of. */
async function findScattered(
  extension: bigint,
  root: NamedRoot,
  settings: MemberSettings,
  { cause, ...options }: SignalOptions & { readonly cause: unknown },
): Promise<MemberSpace> {
  const tried: string[] = [];
  for (const place of extensionPlaces(extension + BigInt(root.baseAddress), root.name)) {
    const superblock = { name: "superblock", address: 0n, used: 0, holdsSuperblock: true };
    const space = multiSpace([superblock, { ...place, used: 0, holdsSuperblock: false }], root);
    tried.push(place.name);
    try {
      const { driver } = (await readJoined(space, settings, options)).extension;
      if (driver?.name === "NCSAmult") return memberSpace(driver, root);
    } catch (error) {
      // A member of another kind or file, one that is not there, one that may not be opened.
      if (!isH5Error(error, "INVALID_FIELD", "UNEXPECTED_EOF", "NOT_FOUND", "UNSUPPORTED_FEATURE")) throw error;
    }
  }
  const names = [...new Set(tried)].map((name) => JSON.stringify(name)).join(", ");
  throw new NotFoundError(`no member of a multi file with its superblock extension; looked for ${names}`, { cause });
}

function rootMember(name: string | undefined, head: Beginning["head"], { files }: MemberSettings): RootMember {
  const open = async (member: string, { signal }: SignalOptions): Promise<ByteSource | null> => {
    const file = await requestFile(files, member, { kind: "driver member", from: name, signal });
    return file?.source ?? null;
  };
  return {
    source: head.source,
    baseAddress: head.address,
    end: head.address + endOfFile(head.superblock),
    open: files.sources && open,
  };
}

function readJoined(
  { source, foldAddress }: MemberSpace,
  settings: MemberSettings,
  options: SignalOptions,
): Promise<Start> {
  return readStrictly(source, settings, options, foldAddress);
}

/** Reads a start in which the addresses that are no numbers are what `foldAddress` makes of them, or errors without it. */
async function readStrictly(
  source: ByteSource,
  settings: MemberSettings,
  options: SignalOptions,
  foldAddress?: Widths["foldAddress"],
): Promise<Start> {
  return await readRest(await readHead(source, settings, options, foldAddress), options);
}
