import { type DecodeOptions, outputOf, type SyncDecoder } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { decodeLz4Block } from "./lz4-block.ts";
import { SIZED_HEADER, sizedBlock, sizedHeader } from "./sized-blocks.ts";

/**
 * Undoes the LZ4 filter, id 32004: a header of the sizes of chunk and block, and for each block its stored size and an
 * LZ4 block, or the bytes as they are where that is the size of the block. H5Zlz4.c of the registered plugin.
 *
 * @throws InvalidFieldError for corrupt or truncated data; LimitExceededError where the header says more than `maxBytes`
 */
export const lz4Decoder: SyncDecoder = { id: 32004, name: "lz4", decode, decodeSync: decode };

function decode(bytes: Uint8Array, _params: readonly number[], options: DecodeOptions): Uint8Array {
  const { total, blockBytes } = sizedHeader("lz4", bytes, options);
  if (blockBytes === 0 && total > 0) throw corrupt("lz4", "expected a block size above 0, got 0", options);
  const output = outputOf(total, options);
  let from = SIZED_HEADER;
  for (let to = 0; to < total; to += blockBytes) {
    const block = sizedBlock("lz4", bytes, from, options);
    const part = output.subarray(to, to + blockBytes);
    if (block.length === part.length) part.set(block);
    else decodeLz4Block(block, part, options);
    from += 4 + block.length;
  }
  return output;
}
