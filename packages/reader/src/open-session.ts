import { type ByteSource, NotFoundError, offsetSource } from "@h5/framing";
import { wholeMetadata } from "./extension.ts";
import type { ExternalFile, ExternalRequest } from "./external.ts";
import { readStart } from "./file-start.ts";
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
  const session = await readSession({ name, origin: undefined }, whole, settings, options);
  return name === undefined ? session : settings.files.opened(name, async () => session, options);
}

async function readSession(
  { name, origin }: Pick<Session, "name" | "origin">,
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
    origin,
    superblock,
    baseAddress: address,
    extension: extension.messages,
    rootAddress: superblock.rootAddress,
    whole: source,
    metadata,
    data: offsetSource(source, address),
    ...emptyCaches(context),
  };
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
  return await session.files.opened(file.name, (signal) => readFound(session, file, { signal }), options);
}

/**
 * The file that is known by a name: one that is open, or that the sources still know by it.
 *
 * @throws NotFoundError where there is none, UnsupportedFeatureError where it is not open and there are no sources
 */
export function openKnown(session: Session, name: string, options: SignalOptions): Promise<Session> {
  const open = async (signal: AbortSignal): Promise<Session> => {
    const file = await session.files.request(name, { kind: "external link", from: name, signal });
    // Sources may take the name for that of another file, seen from this one.
    if (file?.name !== name) throw new NotFoundError(`no file is known as ${JSON.stringify(name)}`);
    return await readFound(session, file, { signal });
  };
  return session.files.opened(name, open, options);
}

function readFound(session: Session, { name, source }: ExternalFile, options: SignalOptions): Promise<Session> {
  return readSession({ name, origin: name }, source, session, options);
}
