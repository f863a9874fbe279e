import { ByteReader } from "../byte-reader.ts";
import { ByteWriter } from "../byte-writer.ts";
import { UnsupportedFeatureError } from "../errors.ts";
import { decodeVersion } from "../version-and-flags.ts";
import type { Widths } from "../widths.ts";

/** Where a message is that stands for itself by a pointer (`messageFlag.shared`). */
export type SharedMessage = {
  readonly version: 1 | 2 | 3;
  /** The type byte as stored; versions 1 and 2 attach no meaning to it. */
  readonly type: number;
} & (
  | { /** In the file's shared message heap. */ readonly kind: "sohm"; readonly heapId: Uint8Array }
  | {
      /** In another object's header: a named datatype. */
      readonly kind: "committed";
      readonly address: number;
      /** Version 1: the name offset of a symbol table entry, which the pointer once was. Nothing reads it. */
      readonly nameOffset?: number | undefined;
    }
);

const STRUCTURE = "shared message";
const SOHM = 1;
const COMMITTED = 2;
const HEAP_ID = 8;

/** Bytes of the pointer. */
export function sizeOfSharedMessage(shared: SharedMessage, widths: Widths): number {
  if (shared.kind === "sohm") return 2 + HEAP_ID;
  return (shared.version === 1 ? 8 + widths.lengthSize : 2) + widths.offsetSize;
}

/**
 * The body of a message whose flags say it is shared (spec IV.A.2, Shared Message). Version 1's field before the address
 * is in `H5Oshared.c` only.
 *
 *     version 1          version 2       version 3
 *     1  version         1  version      1  version
 *     1  type            1  type         1  type: 1 in the heap, 2 committed
 *     6  reserved        O  address      8  heap id | O address
 *     L  name offset
 *     O  address
 *
 * @throws UnsupportedFeatureError for another version or type, InvalidFieldError for an undefined address
 */
export function decodeSharedMessage(body: Uint8Array, widths: Widths, address?: number): SharedMessage {
  const reader = new ByteReader(body, STRUCTURE, address);
  const version = decodeVersion(reader, 1, 3) as SharedMessage["version"];
  const type = reader.u8();
  if (version === 3 && type === SOHM) return { version, type, kind: "sohm", heapId: reader.take(HEAP_ID) };
  if (version === 3 && type !== COMMITTED) {
    throw new UnsupportedFeatureError(`type ${type}, expected 1 or 2`, { structure: STRUCTURE, address });
  }
  if (version === 1) reader.skip(6);
  const nameOffset = version === 1 ? reader.lengthOrUndefined(widths, "name offset") : undefined;
  return { version, type, kind: "committed", address: reader.definedOffset(widths), nameOffset };
}

/** The inverse of {@link decodeSharedMessage}. */
export function encodeSharedMessage(shared: SharedMessage, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfSharedMessage(shared, widths), STRUCTURE);
  writer.u8(shared.version);
  writer.u8(shared.type);
  if (shared.kind === "sohm") writer.put(shared.heapId);
  else {
    if (shared.version === 1) {
      writer.skip(6);
      writer.lengthField(shared.nameOffset, widths);
    }
    writer.offsetField(shared.address, widths);
  }
  return writer.finish();
}
