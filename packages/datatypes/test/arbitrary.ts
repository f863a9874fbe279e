import fc from "fast-check";
import {
  arrayType,
  complexType,
  compoundType,
  type Datatype,
  enumType,
  fixedStringType,
  float16le,
  float32be,
  float64le,
  floatType,
  type IntegerDatatype,
  integerType,
  opaqueType,
  referenceType,
  vlenStringType,
  vlenType,
} from "../src/index.ts";

const order = fc.constantFrom("LE" as const, "BE" as const);
const bit = fc.constantFrom(0 as const, 1 as const);

export const anyInteger: fc.Arbitrary<IntegerDatatype> = fc
  .record({ size: fc.integer({ min: 1, max: 20 }), signed: fc.boolean(), order, lowPad: bit, highPad: bit })
  .chain(({ size, signed, order, ...pads }) =>
    fc.tuple(fc.nat(size * 8 - 1), fc.nat(size * 8 - 1)).map(([a, b]) => ({
      ...integerType(size, signed, order),
      ...pads,
      offset: Math.min(a, b),
      precision: Math.abs(a - b) + 1,
    })),
  );

const names = fc.uniqueArray(
  fc.string({ minLength: 1, maxLength: 9 }).filter((name) => !name.includes("\0")),
  { minLength: 1, maxLength: 4 },
);

const atomic: fc.Arbitrary<Datatype> = fc.oneof(
  anyInteger,
  fc.constantFrom(float16le, float32be, float64le, floatType(2, 8), floatType(16, 15, "BE")),
  anyInteger.map(({ signed, class: _, ...bits }) => ({ ...bits, class: "bitfield" as const })),
  order.map((order) => ({ class: "time" as const, version: 1, size: 4, order, precision: 32 })),
  fc.integer({ min: 1, max: 300 }).map((size) => fixedStringType(size)),
  fc
    .string({ maxLength: 12 })
    .filter((tag) => !tag.includes("\0"))
    .map((tag) => opaqueType(5, tag)),
  fc.constantFrom(referenceType(), referenceType("region"), vlenStringType(), complexType(float32be)),
  fc.tuple(names, fc.constantFrom(integerType(1, true), integerType(8, false, "BE"))).map(([list, base]) =>
    enumType(
      base,
      list.map((name, i) => ({ name, value: base.size > 4 ? BigInt(i) : i })),
    ),
  ),
);

/** Datatypes of every class, nested. */
export const anyDatatype: fc.Arbitrary<Datatype> = fc.letrec<{ any: Datatype }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    atomic,
    tie("any").map((base) => vlenType(base)),
    fc
      .tuple(fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 }), tie("any"))
      .map(([dims, base]) => arrayType(dims, base)),
    names.chain((list) =>
      fc
        .tuple(...list.map((name) => tie("any").map((type) => ({ name, type }))))
        .map((members) => compoundType(members)),
    ),
  ),
})).any;
