import { decodeText } from "@h5/framing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { TextColumn } from "../../src/values/text-column.ts";

const utf8 = fc.string({ unit: "binary", maxLength: 12 }).map((text) => new Uint8Array(new TextEncoder().encode(text)));
const parts = [0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x98, 0x80, 0xff, 0xef, 0xbb, 0xbf];
const pieces = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((bytes) => Uint8Array.from(bytes));
const long = fc.integer({ min: 3000, max: 20000 }).map((length) => new Uint8Array(length).fill(0x78));

it.each([
  ["UTF-8", utf8],
  ["cut sequences", pieces],
  ["both", fc.oneof({ weight: 20, arbitrary: utf8 }, { weight: 2, arbitrary: pieces }, { weight: 1, arbitrary: long })],
])("gives each string as decodeText does: %s", (_, strings) => {
  fc.assert(
    fc.property(fc.array(strings, { maxLength: 60 }), (list) => {
      const column = new TextColumn(list.length);
      for (const bytes of list) column.add(bytes, 0, bytes.length);
      expect(column.finish()).toEqual(list.map(decodeText));
    }),
  );
});

it("gives more strings than a block has, with and without others than ASCII", () => {
  for (const letter of ["x", "é", "€"]) {
    const list = Array.from({ length: 40000 }, (_, i) => (i % 100 === 0 ? "" : letter.repeat(i % 37) + i));
    const column = new TextColumn(list.length);
    for (const text of list) {
      const bytes = new TextEncoder().encode(text);
      column.add(bytes, 0, bytes.length);
    }
    expect(column.finish()).toEqual(list);
  }
});
