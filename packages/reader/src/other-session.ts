import { NotFoundError } from "@h5/framing";
import type { ExternalFile, ExternalRequest } from "./external.ts";
import type { Place } from "./file.ts";
import { readSession } from "./open-session.ts";
import { requestFile } from "./request-file.ts";
import type { Session, SignalOptions } from "./session.ts";

/** The file that an open one names, opened; `null` where there is none. */
export async function openOther(
  session: Session,
  name: string,
  kind: ExternalRequest["kind"],
  options: SignalOptions,
): Promise<Session | null> {
  const file = await requestFile(session.files, name, { kind, from: session.name, signal: options.signal });
  if (file === null) return null;
  return await session.files.opened(file.name, (signal) => readFound(session, file, { signal }), options);
}

/**
 * The file that is known by a name: one that is open, or that the sources still know by it.
 *
 * @throws NotFoundError where there is none, UnsupportedFeatureError where it is not open and there are no sources
 */
function openKnown(session: Session, name: string, options: SignalOptions): Promise<Session> {
  const open = async (signal: AbortSignal): Promise<Session> => {
    const file = await requestFile(session.files, name, { kind: "external link", from: name, signal });
    // Sources may take the name for that of another file, seen from this one.
    if (file?.name !== name) throw new NotFoundError(`no file is known as ${JSON.stringify(name)}`);
    return await readFound(session, file, { signal });
  };
  return session.files.opened(name, open, options);
}

/** As {@link openOther} for a link; throws NotFoundError, which says what the file is for, where there is none. */
export async function openLinked(
  session: Session,
  name: string,
  purpose: string,
  options: SignalOptions,
): Promise<Session> {
  const found = await openOther(session, name, "external link", options);
  if (found === null) throw new NotFoundError(`no file ${JSON.stringify(name)}, ${purpose}`);
  return found;
}

/** The file that an object is in which a reference points to, seen from the file that was opened. */
export async function openPlace(session: Session, { from, file }: Place, options: SignalOptions): Promise<Session> {
  const own = from === undefined ? session : await openKnown(session, from, options);
  return file === undefined ? own : await openLinked(own, file, "to whose object the reference is", options);
}

function readFound(session: Session, { name, source }: ExternalFile, options: SignalOptions): Promise<Session> {
  return readSession({ name, origin: name }, source, session, options);
}
