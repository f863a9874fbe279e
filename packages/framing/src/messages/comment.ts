import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { encodeText, sizeOfText } from "../text.ts";

const STRUCTURE = "object comment message";

/** Bytes of the message. */
export function sizeOfComment(comment: string): number {
  return sizeOfText(comment) + 1;
}

/**
 * Message 0x0D (spec IV.A.2.n): text up to a NUL.
 *
 * @throws InvalidFieldError without a NUL
 */
export function decodeComment(body: Uint8Array, address?: number): string {
  return new ByteReader(body, STRUCTURE, address).nulTerminated("comment");
}

/** The inverse of {@link decodeComment}. */
export function encodeComment(comment: string): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfComment(comment), STRUCTURE);
  writer.put(encodeText(comment));
  writer.skip(1);
  return writer.finish();
}
