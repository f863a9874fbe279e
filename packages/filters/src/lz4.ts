import { type DecodeOptions, outputOf, type SyncDecoder, type SyncEncoder } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";
import { decodeLz4Block, encodeLz4Block } from "./lz4-block.ts";
import { joinSized, SIZED_HEADER, sizedBlock, sizedHeader } from "./sized-blocks.ts";

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

/** The LZ4 filter, id 32004. The parameter is the size of a block in bytes, none or 0 for 1 GiB. */
export const lz4Encoder: SyncEncoder = { id: 32004, name: "lz4", encode };

const DEFAULT_BLOCK = 0x40000000;

function encode(bytes: Uint8Array, params: readonly number[]): Uint8Array {
  const blockBytes = Math.min(params[0] || DEFAULT_BLOCK, bytes.length);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const block = bytes.subarray(at, at + blockBytes);
    const encoded = encodeLz4Block(block);
    blocks.push(encoded.length < block.length ? encoded : block);
  }
  return joinSized(bytes.length, blockBytes, blocks, new Uint8Array(0));
}
