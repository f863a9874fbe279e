import type { Field } from "./fields.ts";
import type { Random } from "./random.ts";

/** A change to a file. */
export type Edit = { readonly at: number; readonly bytes: Uint8Array } | { readonly cut: number };

/** The file after the edits. */
export function applied(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array<ArrayBuffer> {
  let mutant = new Uint8Array(bytes);
  for (const edit of edits) {
    if ("cut" in edit) mutant = mutant.slice(0, edit.cut);
    else mutant.set(edit.bytes.subarray(0, Math.max(0, mutant.length - edit.at)), Math.min(edit.at, mutant.length));
  }
  return mutant;
}

/** One to three changes, each mostly of one field to a value that decoders may not expect. */
export function structureEdits(
  bytes: Uint8Array,
  structures: ReadonlyMap<string, readonly Field[]>,
  random: Random,
): Edit[] {
  const names = [...structures.keys()];
  return Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => {
    // By structure first, or the commonest would have most of the mutants.
    const fields = structures.get(random.pick(names))!;
    return fieldEdit(bytes, random.pick(fields), fields, random);
  });
}

function fieldEdit(bytes: Uint8Array, field: Field, alike: readonly Field[], random: Random): Edit {
  const { at, width } = field;
  const kind = random.below(20);
  if (kind === 0) return { cut: at + random.below(width + 1) };
  // Another of its kind in its place, with what follows it.
  if (kind < 4) {
    const from = random.pick(alike).at;
    return { at, bytes: bytes.slice(from, from + random.pick([width, width, 8, 16, 40, 64])) };
  }
  if (width > 8) return byteEdit(bytes, at + random.below(width), random);
  return { at, bytes: encoded(fieldValue(decoded(bytes, at, width), 8n * BigInt(width), bytes.length, random), width) };
}

/** A value to break a field of `bits` bits with that holds `value`. */
function fieldValue(value: bigint, bits: bigint, fileBytes: number, random: Random): bigint {
  const top = 1n << (bits - 1n);
  switch (random.below(10)) {
    case 0:
      return BigInt(random.below(17));
    case 1:
      return random.pick([2n * top - 1n, 2n * top - 2n, top, top - 1n]);
    case 2:
      return value + random.pick([1n, -1n, 2n, -2n, 8n, -8n]);
    case 3:
      return random.pick([2n * value, value / 2n, value * 256n, value + 256n, -value]);
    case 4:
      return random.pick([1n << 31n, (1n << 32n) - 1n, 1n << 32n, (1n << 53n) - 1n, 1n << 53n]);
    case 5:
      return BigInt(fileBytes + random.pick([0, -1, 1, -8, -64, -512]));
    case 6:
      return BigInt(random.below(fileBytes));
    case 7:
      return BigInt(8 * random.below(fileBytes / 8));
    default:
      return value ^ (1n << BigInt(random.below(Number(bits))));
  }
}

/** One to eight changes of bytes wherever they are. */
export function byteEdits(bytes: Uint8Array, random: Random): Edit[] {
  return Array.from({ length: random.pick([1, 1, 2, 4, 8]) }, () =>
    random.below(50) === 0 ? { cut: random.below(bytes.length) } : byteEdit(bytes, random.below(bytes.length), random),
  );
}

function byteEdit(bytes: Uint8Array, at: number, random: Random): Edit {
  switch (random.below(4)) {
    case 0:
      return { at, bytes: Uint8Array.of(bytes[at]! ^ (1 << random.below(8))) };
    case 1:
      return { at, bytes: Uint8Array.of(random.pick([0, 1, 127, 128, 255])) };
    case 2:
      return { at, bytes: Uint8Array.from({ length: 1 + random.below(8) }, () => random.below(256)) };
    default: {
      const from = random.below(bytes.length);
      return { at, bytes: bytes.slice(from, from + 1 + random.below(32)) };
    }
  }
}

function decoded(bytes: Uint8Array, at: number, width: number): bigint {
  return bytes.subarray(at, at + width).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n);
}

function encoded(value: bigint, width: number): Uint8Array {
  return Uint8Array.from({ length: width }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}
