import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareBytes, decodeText, sortTexts, textOrder } from "../src/index.ts";

describe("textOrder", () => {
  it("orders names as their bytes, whether these are UTF-8 or not", () => {
    const name = fc.oneof(
      fc.uint8Array({ maxLength: 6 }),
      fc.string({ unit: "binary", maxLength: 4 }).map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 8 }), (names) => {
        const texts = names.map(decodeText);
        const compare = textOrder(texts);
        const inOrder = [...names].sort(compareBytes).map(decodeText);
        expect([...texts].sort(compare)).toEqual(inOrder);
        expect(sortTexts([...texts])).toEqual(inOrder);
      }),
    );
  });
});
