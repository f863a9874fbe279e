import {
  type ByteSource,
  type DriverInfo,
  endOfFile,
  type FileContext,
  locateSuperblock,
  offsetSource,
  run,
  type Superblock,
  type Widths,
} from "@h5/framing";
import { hasMembers, type MemberSpace, memberSpace } from "./driver-members.ts";
import { type Extension, readExtension, wholeMetadata } from "./extension.ts";
import type { ExternalRequest } from "./external.ts";
import { metadataSource } from "./input.ts";
import { emptyCaches, type Session, type Settings, type SignalOptions } from "./session.ts";

/**
 * Opens a file: reads its superblock and what extends that. One that has a name is then known by it to all that its
 * links lead to.
 *
 * @throws InvalidFieldError for what is not an HDF5 file, SourceError where the source fails, the signal's reason
 */
export async function openSession(
  name: string | undefined,
  whole: ByteSource,
  settings: Settings,
  options: SignalOptions,
): Promise<Session> {
  const session = await readSession(name, whole, settings, options);
  return name === undefined ? session : settings.files.opened(name, async () => session, options);
}

async function readSession(
  name: string | undefined,
  whole: ByteSource,
  settings: Settings,
  options: SignalOptions,
): Promise<Session> {
  const { superblock, address, context, extension, source, cached } = await readStart(name, whole, settings, options);
  const metadata = await wholeMetadata(context, extension, offsetSource(cached, address), options);
  const { filters, limits, int64, cache, virtualView, printfGap, files } = settings;
  return {
    ...context,
    ...{ filters, limits, int64, cache, virtualView, printfGap, files },
    name,
    superblock,
    baseAddress: address,
    extension: extension.messages,
    rootAddress: superblock.rootAddress,
    metadata,
    data: offsetSource(source, address),
    ...emptyCaches(),
  };
}

/** What a file begins with, and the bytes of all of it. */
interface Start {
  readonly superblock: Superblock;
  /** Of the superblock. */
  readonly address: number;
  readonly context: FileContext;
  readonly extension: Extension;
  readonly source: ByteSource;
  readonly cached: ByteSource;
}

/** Reads the start of a file, which says whether it consists of more files than the one that it is in. */
async function readStart(
  name: string | undefined,
  whole: ByteSource,
  settings: Settings,
  options: SignalOptions,
): Promise<Start> {
  let beyond = false;
  // Addresses that are no numbers are right in a file of the multi driver, which it is too early to know.
  const fold = (): number => {
    beyond = true;
    return Number.MAX_SAFE_INTEGER;
  };
  const strictly = (): Promise<Start> => readStartOf(whole, settings, options, undefined);
  let start: Start;
  try {
    start = await readStartOf(whole, settings, options, fold);
  } catch (error) {
    if (beyond) return await strictly();
    throw error;
  }
  const { driver } = start.extension;
  if (hasMembers(driver)) {
    const { source, foldAddress } = membersOf(name, driver, start, settings);
    return await readStartOf(source, settings, options, foldAddress);
  }
  return beyond ? await strictly() : { ...start, context: { ...start.context, foldAddress: undefined } };
}

function membersOf(name: string | undefined, driver: DriverInfo, start: Start, { files }: Settings): MemberSpace {
  const open = async (member: string, { signal }: SignalOptions): Promise<ByteSource | null> => {
    const file = await files.request(member, { kind: "driver member", from: name, signal });
    return file?.source ?? null;
  };
  const end = start.address + endOfFile(start.superblock);
  return memberSpace(driver, start.source, end, files.sources && open);
}

async function readStartOf(
  source: ByteSource,
  { limits, cache }: Settings,
  options: SignalOptions,
  foldAddress: Widths["foldAddress"],
): Promise<Start> {
  const cached = metadataSource(source, cache);
  const { superblock, address } = await run(locateSuperblock(foldAddress), cached, options);
  const { offsetSize, lengthSize } = superblock;
  const context = { offsetSize, lengthSize, limits, foldAddress };
  const extension = await run(readExtension(context, superblock), offsetSource(cached, address), options);
  return { superblock, address, context, extension, source, cached };
}

/** The file that an open one names, opened; `null` where there is none. */
export async function openOther(
  session: Session,
  name: string,
  kind: ExternalRequest["kind"],
  options: SignalOptions,
): Promise<Session | null> {
  const file = await session.files.request(name, { kind, from: session.name, signal: options.signal });
  if (file === null) return null;
  return await session.files.opened(
    file.name,
    (signal) => readSession(file.name, file.source, session, { signal }),
    options,
  );
}
