import {
  bytesSource,
  defaultLimits,
  messageType,
  type ObjectHeader,
  objectHeaderFlag,
  readObjectHeader,
  runSync,
} from "@h5/framing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeaderSpace } from "../../src/write/header-space.ts";
import {
  bodyOf,
  LARGEST_MESSAGE,
  type PlannedMessage,
  placeHeaderV1,
  placeHeaderV2,
  plainMessage,
} from "../../src/write/object-header.ts";

/** Where the headers begin. */
const START = 64;

function headerSpace(): HeaderSpace {
  let end = START;
  const allocate = (size: number): number => {
    end += size;
    return end - size;
  };
  return new HeaderSpace({ offsetSize: 8, lengthSize: 8, allocate, put: () => {} });
}

function read({ bytes }: HeaderSpace, address: number): ObjectHeader {
  const file = new Uint8Array(START + bytes.length);
  file.set(bytes, START);
  const context = { offsetSize: 8, lengthSize: 8, limits: defaultLimits };
  return runSync(readObjectHeader(context, address), bytesSource(file));
}

/** A comment of `size` bytes, all of them the letter of its number. */
function message(size: number, i: number): PlannedMessage {
  return plainMessage(messageType.comment, new Uint8Array(size).fill(65 + (i % 26)));
}

/** One whose body is not known at first. */
function late(planned: PlannedMessage): PlannedMessage {
  return { ...planned, body: () => bodyOf(planned) };
}

/** Bodies by the order in which they are read; version 1 pads them to 8. */
function roundTrip(version: 1 | 2, sizes: readonly number[], flags: number = 0): string[] {
  const messages = sizes.map((size, i) => ({
    ...(i % 3 === 0 ? late(message(size, i)) : message(size, i)),
    creationOrder: flags === 0 ? undefined : i,
  }));
  const place = version === 1 ? placeHeaderV1 : placeHeaderV2;
  const space = headerSpace();
  const address = place({ messages, referenceCount: 3, flags }, space);
  space.complete(() => 0);
  const header = read(space, address);
  expect(header).toMatchObject({ version, referenceCount: version === 1 ? 3 : 1 });
  const found = header.messages.filter(({ type }) => type === messageType.comment);
  if (flags !== 0) expect(found.map(({ creationOrder }) => creationOrder)).toEqual(sizes.map((_, i) => i));
  return found.map(({ body }) => String.fromCharCode(...body.slice(0, 1)) + body.length);
}

function expected(version: 1 | 2, sizes: readonly number[]): string[] {
  const stored = (size: number) => (version === 1 ? Math.ceil(size / 8) * 8 : size);
  return sizes.map((size, i) => String.fromCharCode(65 + (i % 26)) + stored(size));
}

describe.each([1, 2] as const)("a header of version %i", (version) => {
  it("is read as it was planned, whatever its messages", () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 20000, max: 65528 }));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 12 }), (sizes) => {
        expect(roundTrip(version, sizes)).toEqual(expected(version, sizes));
      }),
      { numRuns: 40 },
    );
  });

  it("holds 60,000 messages", { timeout: 30_000 }, () => {
    const sizes = new Array<number>(60000).fill(5);
    expect(roundTrip(version, sizes)).toEqual(expected(version, sizes));
  });

  it("refuses a message of over 65,535 bytes", () => {
    const place = version === 1 ? placeHeaderV1 : placeHeaderV2;
    const header = { messages: [message(LARGEST_MESSAGE + 1, 0)], referenceCount: 1 };
    expect(() => place(header, headerSpace())).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/65536 bytes/) }),
    );
  });

  it("finds a body that is not as long as it was planned", () => {
    const place = version === 1 ? placeHeaderV1 : placeHeaderV2;
    const wrong = { ...message(8, 0), size: 16 };
    const space = headerSpace();
    expect(() => place({ messages: [wrong], referenceCount: 1 }, space)).toThrow(/measured 16 bytes, got 8/);
    place({ messages: [{ ...wrong, body: () => new Uint8Array(8) }], referenceCount: 1 }, space);
    expect(() => space.complete(() => 0)).toThrow(/measured 16 bytes, got 8/);
  });
});

describe("a header of version 2", () => {
  // The first block has room for 65,535 bytes, each message with an envelope of 4 bytes, or 6 where order is tracked.
  it.each([65530, 65531, 65532, 65535])("of one message of %i bytes, with and without a second", (size) => {
    for (const sizes of [[size], [size, 1], [1, size]]) expect(roundTrip(2, sizes)).toEqual(expected(2, sizes));
  });

  it("goes on in a block of its own only where the first is full", () => {
    const lengthOf = (size: number) => {
      const space = headerSpace();
      placeHeaderV2({ messages: [message(size, 0)], referenceCount: 1 }, space);
      return space.bytes.length;
    };
    expect(lengthOf(65531)).toBe(6 + 2 + 65535 + 4);
    // An empty first block but for a continuation message of 4 + 16 bytes, and a second with signature and checksum.
    expect(lengthOf(65532)).toBe(6 + 1 + 20 + 4 + 4 + 65536 + 4);
  });

  it("keeps the order of creation", () => {
    const sizes = [3, 60000, 7000, 1, 65529];
    const flags = objectHeaderFlag.trackCreationOrder | objectHeaderFlag.indexCreationOrder;
    expect(roundTrip(2, sizes, flags)).toEqual(expected(2, sizes));
  });
});

it("a header of version 1 refuses more messages than it counts", () => {
  const messages = new Array<PlannedMessage>(65536).fill(message(1, 0));
  expect(() => placeHeaderV1({ messages, referenceCount: 1 }, headerSpace())).toThrow(/65536/);
});
