import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText, decodeUtf8, encodeText, sizeOfText } from "../src/text.ts";
import { hex } from "./hex.ts";

describe("decodeText and encodeText", () => {
  it("keep any bytes apart and give them back", () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        const text = decodeText(bytes);
        expect(encodeText(text)).toEqual(new Uint8Array(bytes));
        expect(sizeOfText(text)).toBe(bytes.length);
        const other = seen.get(text);
        seen.set(text, bytes.join());
        expect(other ?? bytes.join()).toBe(bytes.join());
      }),
    );
  });

  it("give bytes near valid UTF-8 back", () => {
    const near = fc
      .array(
        fc.oneof(
          fc.string({ unit: "grapheme", minLength: 1 }).map((text) => new TextEncoder().encode(text)),
          fc.uint8Array({ minLength: 1, maxLength: 2 }),
        ),
      )
      .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));
    fc.assert(
      fc.property(near, (bytes) => {
        expect(encodeText(decodeText(bytes))).toEqual(bytes);
      }),
    );
  });

  it("are UTF-8 for well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodeText(encodeText(text))).toBe(text);
        expect(decodeText(new TextEncoder().encode(text))).toBe(text);
      }),
    );
  });

  // The bytes Python's surrogateescape gives the same characters.
  it.each([
    ["a lone continuation", "6180 62", "a\udc80b"],
    ["an overlong slash", "c0af", "\udcc0\udcaf"],
    ["an overlong three-byte form", "e080af", "\udce0\udc80\udcaf"],
    ["a surrogate", "eda080", "\udced\udca0\udc80"],
    ["above U+10FFFF", "f4908080", "\udcf4\udc90\udc80\udc80"],
    ["a sequence cut short", "c3a9 e282", "é\udce2\udc82"],
    ["latin-1 beside UTF-8", "e9 f09f9880 ff", "\udce9😀\udcff"],
    ["a byte order mark", "efbbbf61", "\ufeffa"],
    ["a byte order mark beside a bad byte", "efbbbf ff", "\ufeff\udcff"],
  ])("tell %s", (_, bytes, text) => {
    expect(decodeText(hex(bytes))).toBe(text);
    expect(encodeText(text)).toEqual(hex(bytes));
  });

  it("take long text with a bad byte", () => {
    const bytes = new Uint8Array(10000).fill(0xc3);
    const text = decodeText(bytes);
    expect(text).toHaveLength(10000);
    expect(encodeText(text)).toEqual(bytes);
  });

  it("read shared memory", () => {
    const bytes = new Uint8Array(new SharedArrayBuffer(2));
    bytes.set([0xc3, 0xa9]);
    expect(decodeText(bytes)).toBe("é");
  });

  it.each(["\ud800", "a\udfff", "\ud83d\udc80\ud83d"])("refuse to encode %j, which has no UTF-8", (text) => {
    expect(() => encodeText(text)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("decodeUtf8", () => {
  it("is strict", () => {
    expect(decodeUtf8(hex("c3a9"))).toBe("é");
    expect(decodeUtf8(hex("efbbbf61"))).toBe("\ufeffa");
    expect(decodeUtf8(hex("c3"))).toBeUndefined();
    expect(decodeUtf8(new Uint8Array(0))).toBe("");
  });

  it("reads ASCII of any length", () => {
    for (const length of [255, 256, 257, 70000]) {
      expect(decodeUtf8(new Uint8Array(length).fill(97))).toBe("a".repeat(length));
    }
  });
});
