import { type ByteSource, offsetSource } from "@h5/framing";
import { wholeMetadata } from "./extension.ts";
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

/** Opens a file without it being known to the others. */
export async function readSession(
  { name, origin }: Pick<Session, "name" | "origin">,
  whole: ByteSource,
  settings: Settings,
  options: SignalOptions,
): Promise<Session> {
  const { superblock, address, context, extension, source, cached } = await readStart(name, whole, settings, options);
  const metadata = await wholeMetadata(context, extension, offsetSource(cached, address), options);
  // The settings may come as the session of the file that leads to this one, of which nothing else is left below.
  return {
    ...settings,
    ...context,
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
