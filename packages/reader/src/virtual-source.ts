import { isH5Error, UnsupportedFeatureError } from "@h5/framing";
import { followPath } from "./destination.ts";
import { type LoadedObject, loadObject } from "./object.ts";
import { openOther } from "./other-session.ts";
import { runPlan, type Session, type SignalOptions } from "./session.ts";
import type { SourcePlace } from "./virtual-mapping.ts";

/** A dataset that gives elements to a virtual one. */
export interface VirtualSource {
  readonly session: Session;
  readonly object: LoadedObject;
}

/**
 * The source dataset; `undefined` where the file or a dataset in it is missing, which is no error: its elements are fill
 * values (H5Dvirtual.c, `H5D__virtual_open_source_dset`).
 *
 * @throws UnsupportedFeatureError where it is in another file and there is no resolver
 */
export async function openVirtualSource(
  session: Session,
  { file, dataset }: SourcePlace,
  options: SignalOptions,
): Promise<VirtualSource | undefined> {
  const own = file === "." ? session : await openOther(session, file, "virtual source", options);
  const found = own && (await findDataset(own, dataset, options));
  if (!found) return undefined;
  const object = await runPlan(found.session, loadObject(found.session, found.address), options);
  return object.kind === "dataset" ? { session: found.session, object } : undefined;
}

async function findDataset(
  session: Session,
  path: string,
  options: SignalOptions,
): Promise<{ readonly session: Session; readonly address: number } | undefined> {
  try {
    const root = { address: session.rootAddress, path: "/" };
    const found = await followPath(session, root, path, options);
    if (found.kind === "object") return found;
  } catch (error) {
    if (isH5Error(error, "NOT_FOUND")) return undefined;
    throw error;
  }
  throw new UnsupportedFeatureError(`virtual source ${path} behind an external link, which needs a resolver`);
}
