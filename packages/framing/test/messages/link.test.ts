import { describe, expect, it } from "vitest";
import {
  decodeLink,
  decodeLinkName,
  encodeLink,
  InvalidArgumentError,
  type Link,
  linkFlags,
  messageType,
} from "../../src/index.ts";
import { hex } from "../hex.ts";
import { fixtureAddresses, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

function linksOf(group: string): Record<string, Link> {
  const { context, object } = openFixture("links.h5");
  const messages = object(group).messages.filter(({ type }) => type === messageType.link);
  const links = messages.map(({ body, address }) => decodeLink(body, context, address));
  return Object.fromEntries(links.map((link) => [link.name, link]));
}

describe.each([
  ["/plain", false],
  ["/ordered", true],
])("links of %s, in its header", (group, ordered) => {
  const links = linksOf(group);
  const order = (at: number): number | undefined => (ordered ? at : undefined);
  const address = fixtureAddresses()["links.h5"]![`${group}/Grüße`]!;

  it.each([
    ["data", 0, { type: "hard", address, charset: "ascii" }],
    ["soft", 1, { type: "soft", target: "/plain/data", charset: "ascii" }],
    ["external", 2, { type: "external", file: "other.h5", target: "/far/away" }],
    ["Grüße", 3, { type: "hard", address, charset: "utf8" }],
    ["n".repeat(300), 4, { type: "hard", address }],
    ["user", 5, { type: "user", class: 77 }],
  ])("%s", (name, at, expected) => {
    const link = links[name]!;
    expect(link).toMatchObject({ version: 1, name, creationOrder: order(at), ...expected });
    expect(linkFlags(link)).toBe(link.flags);
    if (link.type === "user") expect(link.value.slice()).toEqual(new Uint8Array([1, 2, 3]));
  });
});

describe("linkFlags", () => {
  it("takes the narrowest length", () => {
    const of = (length: number): number => linkFlags({ type: "hard", name: "é".repeat(length) });
    expect([of(127), of(128), of(32767), of(32768)]).toEqual([0, 1, 1, 2]);
  });
});

describe("encodeLink", () => {
  const link: Link = { version: 1, flags: 0, name: "a", charset: "ascii", type: "hard", address: 96 };

  it("keeps a wider length than it needs", () => {
    for (const flags of [0, 1, 2, 3]) {
      expect(decodeLink(encodeLink({ ...link, flags }, widths), widths)).toEqual({ ...link, flags });
    }
  });

  it("refuses flags that would lose something", () => {
    expect(() => encodeLink({ ...link, creationOrder: 1 }, widths)).toThrow(InvalidArgumentError);
    expect(() => encodeLink({ ...link, charset: "utf8" }, widths)).toThrow(/flags lack 0x10/);
    expect(() => encodeLink({ ...link, name: "a".repeat(256) }, widths)).toThrow(InvalidArgumentError);
  });

  it("keeps the bytes of a name that is no valid UTF-8", () => {
    const bytes = hex("01 00 03 61ff62 6000000000000000");
    expect(encodeLink(decodeLink(bytes, widths), widths)).toEqual(bytes);
  });
});

describe("a link that leads nowhere", () => {
  it.each([
    ["an undefined address", "01 00 01 61 ffffffffffffffff", { type: "hard", address: undefined }],
    ["another external link version", "01 08 40 01 61 0500 10 61006200", { type: "user", class: 64 }],
    ["an external link without a path", "01 08 40 01 61 0300 00 6100", { type: "user", class: 64 }],
    ["an external link without a NUL", "01 08 40 01 61 0300 00 6162", { type: "user", class: 64 }],
  ])("%s is listed, and encoded as it was", (_, text, expected) => {
    const link = decodeLink(hex(text), widths);
    expect(link).toMatchObject({ name: "a", ...expected });
    expect(encodeLink(link, widths)).toEqual(hex(text));
  });
});

describe("decodeLinkName", () => {
  it.each([
    ["a reserved type", "01 08 02 01 61"],
    ["a path cut short", "01 08 01 01 61 0500 62"],
    ["no address", "01 00 01 61"],
  ])("reads the name of what has %s", (_, text) => {
    expect(() => decodeLink(hex(text), widths)).toThrow();
    expect(decodeLinkName(hex(text))).toBe("a");
  });
});

describe("decodeLink refuses", () => {
  it.each([
    ["another version", "02 00", /version 2, expected 1/],
    ["an unknown flag", "01 20", /unknown flags 0x20/],
    ["a reserved type", "01 08 02 01 61", /link type 2/],
    ["another character set", "01 10 02", /expected character set 0 or 1, got 2/],
    ["an empty name", "01 00 00", /empty name/],
    ["an empty path", "01 08 01 01 61 0000", /empty path/],
    ["a longer name than there is", "01 03 ffffffffffff0000 61", /expected 281474976710655 bytes, got 1/],
  ])("%s", (_, text, message) => {
    expect(() => decodeLink(hex(text), widths)).toThrow(message);
  });
});
