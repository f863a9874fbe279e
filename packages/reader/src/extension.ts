import {
  type ByteSource,
  checkLimit,
  type DriverInfo,
  decodeCacheImage,
  decodeCacheImageBlock,
  decodeDriverInfo,
  decodeDriverInfoBlock,
  type FileContext,
  type HeaderMessage,
  messageType,
  need,
  overlaySource,
  type Plan,
  readObjectHeader,
  run,
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
  return overlaySource(metadata, await run(readCacheImage(context, image), metadata, options));
}

function* readCacheImage(context: FileContext, message: HeaderMessage): Plan<ReturnType<typeof decodeCacheImageBlock>> {
  const { address, length } = decodeCacheImage(message.body, context, message.address);
  // An image without an address is one that a writer took out again.
  if (address === undefined) return [];
  const structure = "metadata cache image";
  checkLimit(context.limits, "metadataBytes", length, { structure, address });
  return decodeCacheImageBlock(yield* need(structure, address, length), context, address);
}
