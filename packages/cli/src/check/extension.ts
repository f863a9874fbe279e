import {
  type CacheImageEntry,
  type DriverInfo,
  decodeBtreeK,
  decodeCacheImage,
  decodeCacheImageBlock,
  decodeDriverInfo,
  decodeDriverInfoBlock,
  decodeFileSpaceInfo,
  type HeaderMessage,
  messageType,
  type Plan,
  sizeOfDriverInfoBlock,
} from "@h5/framing";
import { type Check, guard, guardNow, read, warn } from "./check.ts";
import { checkFreeSpace } from "./free-space.ts";
import { checkHeader } from "./object-header.ts";

/** What the superblock extension leads to. */
export interface Extension {
  readonly messages: readonly HeaderMessage[];
  /** Metadata that takes the place of what is in the file. */
  readonly image: readonly CacheImageEntry[];
  readonly driver: DriverInfo | undefined;
}

/** Stands for an address beyond 2^53−1. */
export const NO_NUMBER: number = Number.MAX_SAFE_INTEGER;

/** What stands for a path in findings about the superblock extension. */
const EXTENSION = "superblock extension";

/** Checks what extends the superblock. */
export function* checkExtension(check: Check): Plan<Extension> {
  const { extensionAddress, driverInfoAddress } = check.superblock;
  let driver: DriverInfo | undefined;
  if (driverInfoAddress !== undefined) driver = yield* guard(check, undefined, driverBlock(check, driverInfoAddress));
  const header =
    extensionAddress === undefined || extensionAddress === NO_NUMBER
      ? undefined
      : yield* guard(check, undefined, checkHeader(check, extensionAddress, EXTENSION));
  const messages = header?.messages ?? [];
  const image: CacheImageEntry[] = [];
  for (const message of messages) {
    const { type, body, address } = message;
    if (type === messageType.driverInfo) driver = guardNow(check, undefined, () => decodeDriverInfo(body, address));
    if (type === messageType.btreeK) {
      check.k = guardNow(check, undefined, () => decodeBtreeK(body, address)) ?? check.k;
    }
    if (type !== messageType.cacheImage) continue;
    for (const entry of (yield* guard(check, undefined, readImage(check, message))) ?? []) image.push(entry);
  }
  return { messages, image, driver };
}

function* driverBlock(check: Check, address: number): Plan<DriverInfo> {
  const structure = "driver information block";
  const info = decodeDriverInfoBlock(yield* read(check, structure, address, 1024, 16), address);
  check.space.claim(structure, address, sizeOfDriverInfoBlock(info), undefined);
  return info;
}

function* readImage(check: Check, message: HeaderMessage): Plan<CacheImageEntry[]> {
  const { address, length } = decodeCacheImage(message.body, check, message.address);
  if (address === undefined) return [];
  const structure = "metadata cache image";
  check.space.claim(structure, address, length, undefined);
  return decodeCacheImageBlock(yield* read(check, structure, address, length), check, address);
}

/** Checks the free-space managers that a file space info message names. */
export function* checkFileSpace(check: Check, { body, address }: HeaderMessage): Plan<void> {
  // Release 1.10.0 could leave addresses here that it had yet to replace, which are near 2^64.
  const folded = { ...check, foldAddress: check.foldAddress ?? ((): number => NO_NUMBER) };
  const { managerAddresses = [] } = decodeFileSpaceInfo(body, folded, address);
  for (const manager of managerAddresses) {
    if (manager === NO_NUMBER) {
      warn(check, { structure: "file space info message", address, message: "a free-space manager at no address" });
    } else if (manager !== undefined) yield* checkFreeSpace(check, manager);
  }
}
