import { describe, expect, it } from "vitest";
import { checkMessageFlags, isKnownMessage, messageName, messageType } from "../src/index.ts";

describe("messageName", () => {
  it("names every type, and says which it does not know", () => {
    for (const type of Object.values(messageType)) expect(messageName(type)).not.toMatch(/unknown/);
    expect(messageName(messageType.layout)).toBe("layout");
    expect(messageName(messageType.cacheImage)).toBe("cache image");
    expect(messageName(9)).toBe("unknown message type 9");
    expect(messageName(200)).toBe("unknown message type 200");
    for (const type of Object.values(messageType)) expect(isKnownMessage(type)).toBe(true);
    expect([isKnownMessage(24), isKnownMessage(25), isKnownMessage(9)]).toEqual([true, false, false]);
  });
});

describe("checkMessageFlags", () => {
  it("refuses what H5Ocache.c calls a bad combination", () => {
    for (const flags of [0x06, 0x28, 0x38, 0x20]) expect(() => checkMessageFlags(flags)).toThrow(/contradictory/);
    for (const flags of [0, 1, 0x43, 0x14, 0x30, 0x88]) checkMessageFlags(flags);
  });
});
