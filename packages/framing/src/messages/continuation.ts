import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import type { Widths } from "../widths.ts";

/** Where an object header goes on. */
export interface Continuation {
  readonly address: number;
  /** Bytes of the block, in version 2 with its signature and checksum. */
  readonly length: number;
}

const STRUCTURE = "object header continuation message";

/** Bytes of the message. */
export function sizeOfContinuation(widths: Widths): number {
  return widths.offsetSize + widths.lengthSize;
}

/**
 * Message 0x10 (spec IV.A.2.q).
 *
 *     O  address of the block
 *     L  length of the block
 *
 * @throws InvalidFieldError for an undefined address or an empty block, UnexpectedEofError
 */
export function decodeContinuation(body: Uint8Array, widths: Widths, address?: number): Continuation {
  const reader = new ByteReader(body, STRUCTURE, address);
  const at = reader.definedOffset(widths, "address");
  const length = reader.lengthField(widths, "length");
  if (length === 0) reader.fail("empty block", widths.offsetSize);
  return { address: at, length };
}

/** The inverse of {@link decodeContinuation}. */
export function encodeContinuation(continuation: Continuation, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfContinuation(widths), STRUCTURE);
  writer.offsetField(continuation.address, widths);
  writer.lengthField(continuation.length, widths);
  return writer.finish();
}
