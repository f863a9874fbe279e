import {
  type ByteSource,
  type CacheImageEntry,
  checkLimit,
  decodeCacheImage,
  decodeCacheImageBlock,
  type FileContext,
  type HeaderMessage,
  need,
  overlaySource,
  type Plan,
  run,
  type SliceOptions,
} from "@h5/framing";

/** The metadata source with the cache image over it that a message of the superblock extension leads to. */
export async function withCacheImage(
  context: FileContext,
  image: HeaderMessage,
  metadata: ByteSource,
  options: SliceOptions,
): Promise<ByteSource> {
  return overlaySource(metadata, await run(readCacheImage(context, image), metadata, options));
}

function* readCacheImage(context: FileContext, message: HeaderMessage): Plan<CacheImageEntry[]> {
  const { address, length } = decodeCacheImage(message.body, context, message.address);
  // An image without an address is one that a writer took out again.
  if (address === undefined) return [];
  const structure = "metadata cache image";
  checkLimit(context.limits, "metadataBytes", length, { structure, address });
  return decodeCacheImageBlock(yield* need(structure, address, length), context, address);
}
