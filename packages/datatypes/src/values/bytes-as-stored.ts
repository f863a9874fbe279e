import { type Datatype, ieeeSize } from "../datatype.ts";
import type { IntegerBits } from "../integer-bits.ts";
import { enumBits } from "./encode-enums.ts";
import { hostIsLittleEndian } from "./gather.ts";
import { wholeElement } from "./integers.ts";

/**
 * The bytes of a typed array where they are just the packed elements of a datatype: numbers of the very kind, in the byte
 * order of the machine. A view, not a copy; `undefined` for all other values.
 */
export function bytesAsStored(t: Datatype, values: unknown): Uint8Array | undefined {
  if (!ArrayBuffer.isView(values) || values instanceof DataView || !isStoredAs(t, kindOf(values))) return undefined;
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

/** Of a typed array as its name has it: `"Int16"`, `"BigUint64"`. By name, which `Float16Array` has on newer machines only. */
function kindOf(array: ArrayBufferView): string {
  return Object.prototype.toString.call(array).slice(8, -"Array]".length);
}

function isStoredAs(t: Datatype, kind: string): boolean {
  switch (t.class) {
    case "integer":
      return isIntegerKind(t, kind);
    case "enum":
      return isIntegerKind(enumBits(t), kind);
    case "bitfield":
    case "time":
      return isIntegerKind(wholeElement(t), kind);
    case "float":
      return isNative(t) && ieeeSize(t) !== undefined && kind === `Float${t.size * 8}`;
    default:
      return false;
  }
}

function isIntegerKind(t: IntegerBits, kind: string): boolean {
  if (!isNative(t) || t.offset !== 0 || t.precision !== t.size * 8) return false;
  const name = `${t.size === 8 ? "Big" : ""}${t.signed ? "Int" : "Uint"}${t.size * 8}`;
  return kind === name || (kind === "Uint8Clamped" && name === "Uint8");
}

function isNative({ size, order }: { readonly size: number; readonly order: string }): boolean {
  return size === 1 || order === (hostIsLittleEndian() ? "LE" : "BE");
}
