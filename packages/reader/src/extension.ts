import {
  type ByteSource,
  type DriverInfo,
  decodeDriverInfo,
  decodeDriverInfoBlock,
  type FileContext,
  type HeaderMessage,
  messageType,
  need,
  type Plan,
  readObjectHeader,
  type SliceOptions,
  type Superblock,
} from "@h5/framing";

/** What a file says of itself beside its superblock. */
export interface Extension {
  /** Those of the superblock extension; none where there is no extension. */
  readonly messages: readonly HeaderMessage[];
  /** What the driver that wrote the file left for the one that reads it (spec II.B, IV.A.2.u). */
  readonly driver: DriverInfo | undefined;
}

/** Whether a file's driver has put it into several. */
export function hasMembers(driver: DriverInfo | undefined): driver is DriverInfo {
  return driver?.name === "NCSAfami" || driver?.name === "NCSAmult";
}

/** Reads the superblock extension (spec II.A) and the driver information. */
export function* readExtension(context: FileContext, superblock: Superblock): Plan<Extension> {
  const { extensionAddress, driverInfoAddress } = superblock;
  const messages = extensionAddress === undefined ? [] : (yield* readObjectHeader(context, extensionAddress)).messages;
  if (driverInfoAddress !== undefined) {
    const block = yield* need("driver information block", driverInfoAddress, 1024, 16);
    return { messages, driver: decodeDriverInfoBlock(block, driverInfoAddress) };
  }
  const message = messages.find(({ type }) => type === messageType.driverInfo);
  return { messages, driver: message && decodeDriverInfo(message.body, message.address) };
}

/**
 * The metadata source with the cache image laid over it that the extension may name: headers of the file may exist
 * nowhere else.
 */
export async function wholeMetadata(
  context: FileContext,
  { messages }: Extension,
  metadata: ByteSource,
  options: SliceOptions,
): Promise<ByteSource> {
  const image = messages.find(({ type }) => type === messageType.cacheImage);
  if (image === undefined) return metadata;
  const { withCacheImage } = await import("./cache-image.ts");
  return await withCacheImage(context, image, metadata, options);
}
