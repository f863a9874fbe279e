import type { ByteSource } from "@h5/framing";
import { hasMembers } from "./extension.ts";
import { readHead, readRest, type Start } from "./file-head.ts";
import { loaded, type Settings, type SignalOptions } from "./session.ts";

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
  const head = await readHead(whole, settings, options, fold);
  let start: Start | undefined;
  let cause: unknown;
  try {
    start = await readRest(head, options);
    if (far.length === 0 && !hasMembers(start.extension.driver)) {
      return { ...start, context: { ...start.context, foldAddress: undefined } };
    }
  } catch (error) {
    cause = error;
  }
  const { readMembers } = await loaded(() => import("./file-members.ts"), options);
  return await readMembers({ name, head, far, driver: start?.extension.driver, cause }, settings, options);
}
