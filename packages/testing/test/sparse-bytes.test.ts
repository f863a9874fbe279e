import fc from "fast-check";
import { expect, it } from "vitest";
import { repeatingBytes, sparseBytes } from "../src/index.ts";

const LENGTH = 20000;

it("holds what was written, anywhere", () => {
  const pieces = fc.array(fc.record({ at: fc.nat(LENGTH), size: fc.nat(9000), value: fc.constantFrom(0, 1, 255) }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(pieces, fc.nat(LENGTH), fc.nat(LENGTH), (writes, start, size) => {
      const plain = new Uint8Array(2 * LENGTH);
      const sparse = sparseBytes();
      for (const { at, size: length, value } of writes) {
        plain.fill(value, at, at + length);
        sparse.write(at, new Uint8Array(length).fill(value));
      }
      const end = writes.reduce((most, write) => Math.max(most, write.at + write.size), 0);
      expect(sparse.length).toBe(end);
      const expected = plain.subarray(Math.min(start, end), Math.min(start + size, end));
      expect(Buffer.compare(sparse.slice(start, start + size), expected)).toBe(0);
    }),
  );
});

it("has what the caller gives in place of zeros", () => {
  const rest = repeatingBytes();
  const sparse = sparseBytes(10000, rest.fill);
  sparse.write(5000, Uint8Array.of(9));
  expect([...sparse.slice(13, 16)]).toEqual([13, 14, 15].map(rest.at));
  expect([...sparse.slice(4999, 5002)]).toEqual([0, 9, 0]);
  expect([...sparse.slice(9999, 20000)]).toEqual([rest.at(9999)]);
});

it("is filled with the same bytes from any address on", () => {
  const { at, fill } = repeatingBytes();
  const target = new Uint8Array(3_000_000);
  const start = 2 ** 40 + 7;
  fill(start, target);
  for (const i of [0, 1, 1_000_000, 2_000_001, 2_999_999]) expect(target[i]).toBe(at(start + i));
});
