import { countingSource, fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import {
  bytesSource,
  chunkSizeFlag,
  decodeAttribute,
  decodeObjectHeaderV2Prefix,
  defaultLimits,
  encodeContinuation,
  encodeContinuationV2,
  encodeMessagesV1,
  encodeObjectHeaderV1,
  encodeObjectHeaderV2,
  type FileContext,
  InvalidFieldError,
  LimitExceededError,
  type MessageContent,
  messageType,
  type ObjectHeader,
  readObjectHeader,
  run,
  runSync,
  sizeOfContinuationV2,
  sizeOfObjectHeaderV1,
  sizeOfObjectHeaderV2,
  UnexpectedEofError,
  UnsupportedFeatureError,
} from "../src/index.ts";
import { openFixture } from "./open-fixture.ts";

const context: FileContext = { offsetSize: 8, lengthSize: 8, limits: defaultLimits };
const message = (type: number, body: Uint8Array = new Uint8Array(8), flags: number = 0): MessageContent => ({
  type,
  flags,
  body,
});
const continuation = (address: number, length: number): MessageContent =>
  message(messageType.continuation, encodeContinuation({ address, length }, context));
const v2 = (...messages: MessageContent[]): Uint8Array => encodeObjectHeaderV2({ flags: 0, messages });
const read = (bytes: Uint8Array, address: number = 0, limits: Partial<typeof defaultLimits> = {}): ObjectHeader =>
  runSync(readObjectHeader({ ...context, limits: { ...defaultLimits, ...limits } }, address), bytesSource(bytes));

/** Blocks put at their addresses. */
function file(blocks: Record<number, Uint8Array>): Uint8Array {
  const ends = Object.entries(blocks).map(([at, block]) => Number(at) + block.length);
  const bytes = new Uint8Array(Math.max(...ends));
  for (const [at, block] of Object.entries(blocks)) bytes.set(block, Number(at));
  return bytes;
}

const attributeNames = (name: string): string[] => {
  const fixture = openFixture(name);
  const messages = fixture.object("/data").messages.filter(({ type }) => type === messageType.attribute);
  return messages.map(({ body }) => decodeAttribute(body, fixture.context).name);
};

describe("readObjectHeader, version 1", () => {
  it("refuses a reference count message, as libhdf5 does: the prefix holds the count", () => {
    const counted = message(messageType.referenceCount, new Uint8Array([0, 2, 0, 0, 0, 0, 0, 0]));
    expect(() => read(encodeObjectHeaderV1({ referenceCount: 1, messages: [counted] }))).toThrow(
      /version 1 cannot have a reference count message/,
    );
  });

  it("follows continuations, block after block", () => {
    const header = openFixture("header-v1-continuation.h5").object("/data");
    expect(header).toMatchObject({ version: 1, address: 800, referenceCount: 1 });
    expect(header.flags ?? header.times ?? header.attributePhaseChange).toBeUndefined();
    expect(attributeNames("header-v1-continuation.h5")).toEqual([...Array(12).keys()].map((at) => `attribute ${at}`));
    expect(header.messages.filter(({ type }) => type === messageType.continuation)).toHaveLength(2);
    expect(header.messages.some(({ type }) => type === messageType.nil)).toBe(false);
  });

  it("gives the address of every body", () => {
    const { bytes, object } = openFixture("header-v1-continuation.h5");
    for (const { body, address } of object("/data").messages) {
      expect(body.slice()).toEqual(bytes.slice(address, address + body.length));
    }
  });

  it("takes an empty header", () => {
    expect(read(encodeObjectHeaderV1({ referenceCount: 3, messages: [] })).messages).toEqual([]);
  });

  it("refuses more messages in the first block than counted, as H5Ocache.c does; fewer were written once", () => {
    const messages = [message(1), message(3)];
    expect(() => read(encodeObjectHeaderV1({ referenceCount: 1, messages, messageCount: 1 }))).toThrow(/at most 1/);
    expect(read(encodeObjectHeaderV1({ referenceCount: 1, messages, messageCount: 9 })).messages).toHaveLength(2);
  });

  it("refuses unaligned messages and leftovers", () => {
    const bytes = encodeObjectHeaderV1({ referenceCount: 1, messages: [message(1), message(3)] });
    bytes[18] = 9;
    expect(() => read(bytes)).toThrow(/message size 9 is not a multiple of 8/);
    bytes[18] = 8;
    bytes[8] = 28;
    expect(() => read(bytes)).toThrow(UnexpectedEofError);
    bytes[8] = 4;
    expect(() => read(bytes)).toThrow(/header size 4 contradicts 2 messages/);
  });

  it("refuses anything else than the version or the signature", () => {
    expect(() => read(new Uint8Array(64))).toThrow(/expected version 1 or signature "OHDR", got first byte 0/);
  });

  it("pads bodies to 8", () => {
    const header = { referenceCount: 1, messages: [message(13, new Uint8Array([104, 105, 0]))] };
    expect(sizeOfObjectHeaderV1(header)).toBe(32);
    expect(read(encodeObjectHeaderV1(header)).messages[0]!.body.slice()).toEqual(
      new Uint8Array([104, 105, 0, 0, 0, 0, 0, 0]),
    );
  });
});

describe("readObjectHeader, version 2", () => {
  it("follows continuations and gives creation order", () => {
    const header = openFixture("header-v2-continuation.h5").object("/data");
    expect(header).toMatchObject({
      version: 2,
      referenceCount: 1,
      attributePhaseChange: { maxCompact: 60, minDense: 40 },
    });
    expect(header.flags! & 0x0c).toBe(0x0c);
    const expected = [...Array(40).keys()].filter((at) => at !== 3 && at !== 17);
    const found = header.messages.filter(({ type }) => type === messageType.attribute);
    expect(found.map(({ creationOrder }) => creationOrder).sort((a, b) => a! - b!)).toEqual(expected);
    expect(attributeNames("header-v2-continuation.h5").sort()).toEqual(expected.map((at) => `attribute ${at}`).sort());
  });

  it("reads what the first read did not hold", () => {
    const { object } = openFixture("header-v2-large.h5");
    const layout = object("/compact").messages.find(({ type }) => type === messageType.layout)!;
    expect(layout.body.length).toBe(4 + 800);
  });

  it("takes the reference count from its message", () => {
    const { object } = openFixture("header-v2-large.h5");
    expect(object("/again").referenceCount).toBe(3);
    expect(object("/compact").referenceCount).toBe(1);
  });

  it("reads times", () => {
    expect(openFixture("times-latest.h5").object("/data").times).toEqual({
      access: 981173106,
      modification: 981173107,
      change: 981173108,
      birth: 981173109,
    });
  });

  it.each([0, 1, 2, 3])("reads and writes a size of width 2^%i", (width) => {
    const header = { flags: width, messages: [message(1)] };
    const bytes = encodeObjectHeaderV2(header);
    expect(bytes.length).toBe(sizeOfObjectHeaderV2(header));
    expect(read(bytes)).toMatchObject({ flags: width, messages: [{ type: 1 }] });
  });

  it("finds the width a size needs", () => {
    expect([255, 256, 65535, 65536, 2 ** 32].map(chunkSizeFlag)).toEqual([0, 1, 1, 2, 3]);
  });

  it("takes an empty header at the end of the bytes", () => {
    expect(read(v2())).toMatchObject({ messages: [], referenceCount: 1 });
    expect(v2()).toHaveLength(11);
  });

  it("takes a gap, but not beside a NIL message", () => {
    expect(read(encodeObjectHeaderV2({ flags: 0, messages: [message(1)], gap: 3 })).messages).toHaveLength(1);
    const bytes = encodeObjectHeaderV2({ flags: 0, messages: [message(0)], gap: 3 });
    expect(() => read(bytes)).toThrow(/gap of 3 bytes in a block with NIL messages/);
  });

  it("drops NIL messages", () => {
    expect(read(v2(message(0), message(5), message(0))).messages.map(({ type }) => type)).toEqual([5]);
  });

  it("verifies the checksums of all blocks", () => {
    const block = { flags: 0, messages: [message(5)] };
    const bytes = file({ 0: v2(continuation(64, sizeOfContinuationV2(block))), 64: encodeContinuationV2(block) });
    expect(read(bytes).messages.map(({ type }) => type)).toEqual([16, 5]);
    for (const at of [12, 70]) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1;
      expect(() => read(damaged)).toThrow(InvalidFieldError);
    }
    bytes[64] = 0;
    expect(() => read(bytes)).toThrow(/expected signature "OCHK"/);
  });

  it("refuses unknown flags, versions and phase changes", () => {
    const bytes = v2(message(1));
    bytes[4] = 3;
    expect(() => read(bytes)).toThrow(UnsupportedFeatureError);
    bytes[4] = 2;
    bytes[5] = 0x40;
    expect(() => read(bytes)).toThrow(/unknown flags 0x40/);
    const phase = { flags: 0x10, attributePhaseChange: { maxCompact: 2, minDense: 3 }, messages: [] };
    expect(() => read(encodeObjectHeaderV2(phase))).toThrow(/maximum compact 2 is below minimum dense 3/);
  });
});

describe("readObjectHeader, unknown messages", () => {
  it("keeps one that may be passed over, on writing only or not at all", () => {
    for (const flags of [0, 0x08, 0x10, 0x30]) expect(read(v2(message(77, undefined, flags))).messages).toHaveLength(1);
  });

  it("refuses one that must be understood", () => {
    expect(() => read(v2(message(77, undefined, 0x80)))).toThrow(/unknown message type 77, flagged as one/);
    expect(() => read(v2(message(77, undefined, 0x80)))).toThrow(UnsupportedFeatureError);
    expect(read(v2(message(5, undefined, 0x80))).messages).toHaveLength(1);
  });

  it("refuses flags that contradict themselves", () => {
    expect(() => read(v2(message(3, undefined, 0x06)))).toThrow(/contradictory message flags 0x6/);
  });
});

describe("readObjectHeader, malicious continuations", () => {
  const v1 = (...messages: MessageContent[]): Uint8Array => encodeObjectHeaderV1({ referenceCount: 1, messages });

  it("refuses a block that leads back to itself, to the header, or into another block", () => {
    const loop = encodeMessagesV1([continuation(64, 24)]);
    expect(() => read(file({ 0: v1(continuation(64, 24)), 64: loop }))).toThrow(/overlaps another block/);
    expect(() => read(v1(continuation(16, 24)))).toThrow(/overlaps another block/);
    const twice = v1(continuation(128, 16), continuation(136, 16));
    expect(() => read(file({ 0: twice, 128: new Uint8Array(32) }))).toThrow(/overlaps another block/);
  });

  it("takes blocks that touch", () => {
    const touching = v1(continuation(80, 16), continuation(64, 16));
    expect(touching).toHaveLength(64);
    const good = file({ 0: touching, 64: encodeMessagesV1([message(1)]), 80: encodeMessagesV1([message(5)]) });
    expect(read(good).messages.map(({ type }) => type)).toEqual([16, 16, 5, 1]);
  });

  it("refuses an empty block, and one past the end of the file", () => {
    expect(() => read(v1(continuation(64, 0)))).toThrow(/empty block/);
    expect(() => read(v1(continuation(64, 1000)))).toThrow(UnexpectedEofError);
    expect(() => read(v1(continuation(2 ** 53 - 1, 1000)))).toThrow(InvalidFieldError);
  });

  it("holds to the limits, and names the one to raise", () => {
    const bytes = file({ 0: v1(continuation(64, 16), message(3)), 64: encodeMessagesV1([message(5)]) });
    const limit = (limits: Partial<typeof defaultLimits>): unknown => {
      try {
        return read(bytes, 0, limits);
      } catch (error) {
        return error instanceof LimitExceededError ? error.limit : error;
      }
    };
    expect(limit({ headerMessages: 2 })).toBe("headerMessages");
    expect(limit({ continuations: 0 })).toBe("continuations");
    expect(limit({ metadataBytes: 15 })).toBe("metadataBytes");
    expect(limit({ headerMessages: 3, continuations: 1, metadataBytes: 56 })).toMatchObject({ version: 1 });
  });

  it("refuses a size the file does not have, without allocating it", () => {
    const bytes = v1(message(1));
    new DataView(bytes.buffer).setUint32(8, 0x0ffffff0, true);
    expect(() => read(bytes)).toThrow(UnexpectedEofError);
    new DataView(bytes.buffer).setUint32(8, 0xfffffff0, true);
    expect(() => read(bytes)).toThrow(LimitExceededError);
  });
});

describe("readObjectHeader, requests", () => {
  it("asks once for a header without continuations", async () => {
    const source = countingSource(fixtureBytes("framing/superblock-3.h5"));
    await run(readObjectHeader(context, 48), source);
    expect(source.reads).toEqual([{ start: 48, end: 560 }]);
  });

  it("asks for continuations named together in one batch", () => {
    const { bytes } = openFixture("header-v1-continuation.h5");
    const plan = readObjectHeader(context, 800);
    const batches: number[] = [];
    for (let step = plan.next(); !step.done; ) {
      batches.push(step.value.length);
      step = plan.next(step.value.map(({ start, end }) => bytes.subarray(start, end)));
    }
    expect(batches).toEqual([1, 2]);
  });
});

describe("decodeObjectHeaderV2Prefix", () => {
  it("gives where the messages begin", () => {
    const { bytes } = openFixture("times-latest.h5");
    expect(decodeObjectHeaderV2Prefix(bytes.subarray(179), 179)).toMatchObject({ flags: 0x21, byteLength: 24 });
  });
});
