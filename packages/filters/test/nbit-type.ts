import fc from "fast-check";

/** The parameters of a random nbit datatype that libhdf5 reads aright, and its size. */
export interface MadeType {
  readonly params: readonly number[];
  readonly size: number;
}

const number: fc.Arbitrary<MadeType> = fc
  .tuple(fc.constantFrom(1, 2, 4, 8), fc.nat(1), fc.nat(63), fc.nat(63))
  .map(([size, order, a, b]) => {
    const bits = (a % (8 * size)) + 1;
    return { params: [1, size, order, bits, b % (8 * size - bits + 1)], size };
  });
const plain: fc.Arbitrary<MadeType> = fc.integer({ min: 1, max: 9 }).map((size) => ({ params: [4, size], size }));
const leaf = fc.oneof(number, plain);
const array: fc.Arbitrary<MadeType> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), leaf)
  .map(([length, { params, size }]) => ({ params: [2, length * size, ...params], size: length * size }));

function compound(member: fc.Arbitrary<MadeType>): fc.Arbitrary<MadeType> {
  return fc.array(fc.tuple(fc.nat(3), member), { minLength: 1, maxLength: 5 }).map((members) => {
    const params: number[] = [];
    let size = 0;
    for (const [gap, type] of members) {
      params.push(size + gap, ...type.params);
      size += gap + type.size;
    }
    return { params: [3, size, members.length, ...params], size };
  });
}

const flat = fc.oneof(leaf, array);
export const nbitType: fc.Arbitrary<MadeType> = fc.oneof(
  number,
  array,
  compound(flat),
  compound(fc.oneof(flat, compound(flat))),
);
