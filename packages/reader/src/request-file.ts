import { checkLimit, ioFailure, UnsupportedFeatureError } from "@h5/framing";
import type { ExternalFile, ExternalRequest } from "./external.ts";
import type { OtherFiles } from "./other-files.ts";

/**
 * The file of a name, unopened; `null` where there is none.
 *
 * @throws UnsupportedFeatureError where there are no sources, LimitExceededError (`files`), what the sources throw
 */
export function requestFile(
  files: OtherFiles<unknown>,
  name: string,
  { kind, from, signal }: ExternalRequest,
): Promise<ExternalFile | null> {
  const ask = (own: AbortSignal): Promise<ExternalFile | null> => askFor(files, name, { kind, from, signal: own });
  return files.asked.get(`${kind}\0${from ?? ""}\0${name}`, ask, signal);
}

async function askFor(
  files: OtherFiles<unknown>,
  name: string,
  request: ExternalRequest,
): Promise<ExternalFile | null> {
  const { sources, tried, limits } = files;
  if (sources === undefined) {
    throw new UnsupportedFeatureError(`${request.kind} of file ${JSON.stringify(name)}, which needs a resolver`);
  }
  let key = `${request.from}\0${name}`;
  try {
    const file = await sources.open(name, request);
    if (file === null) return null;
    key = file.name;
    return { name: file.name, source: files.counted(file.source) };
  } catch (error) {
    throw ioFailure(error, `opening ${name}`, request.signal);
  } finally {
    checkLimit(limits, "files", tried.add(key).size, { structure: request.kind });
  }
}
