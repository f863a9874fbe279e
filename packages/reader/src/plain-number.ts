import { type Datatype, ieeeSize } from "@h5/datatypes";

/**
 * The value of an element that is a number of a usual kind, `undefined` for all others, which `decodeValues` takes: the
 * memory and the arrays that come of it cost many times what one number does.
 */
export function plainNumber(t: Datatype, bytes: Uint8Array): number | undefined {
  const { size } = t;
  if (t.class === "float" && size > 2 && ieeeSize(t) === size) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, size);
    return size === 4 ? view.getFloat32(0, t.order === "LE") : view.getFloat64(0, t.order === "LE");
  }
  if (t.class !== "integer" || size > 4 || t.offset !== 0 || t.precision !== size * 8) return undefined;
  let value = 0;
  for (let i = 0; i < size; i++) value = value * 256 + bytes[t.order === "LE" ? size - 1 - i : i]!;
  return t.signed && value >= 2 ** (t.precision - 1) ? value - 2 ** t.precision : value;
}
