import { messageFlag, messageType } from "@h5/framing";
import { readSharedMessageRecords, readSharedMessageTable } from "@h5/heap";
import { describe, expect, it } from "vitest";
import { sharedKinds } from "../../src/model/sharing.ts";
import { bodyOf, plainMessage } from "../../src/write/object-header.ts";
import { SharedMessages } from "../../src/write/shared-messages.ts";
import { memorySpace } from "../memory-space.ts";

const attribute = (byte: number, size: number = 60) =>
  plainMessage(messageType.attribute, new Uint8Array(size).fill(byte));

describe("SharedMessages", () => {
  const options = { kinds: sharedKinds, minSize: 50, listMax: 50 };

  it("keeps equal messages once, and gives pointers to them", () => {
    const space = memorySpace();
    const shared = new SharedMessages(options, space);
    const [a, b, again] = [attribute(1), attribute(2), attribute(1)].map((message) => shared.share(message));
    expect([a!.size, a!.flags]).toEqual([10, messageFlag.shared]);
    shared.build(space);
    expect(bodyOf(again!)).toEqual(bodyOf(a!));
    expect(bodyOf(b!)).not.toEqual(bodyOf(a!));
    expect(bodyOf(a!).slice(0, 2)).toEqual(Uint8Array.of(3, 1));
    const table = bodyOf(shared.tableMessage());
    const address = Number(new DataView(table.buffer).getBigUint64(1, true));
    const records = space.read(function* (context) {
      const [index] = yield* readSharedMessageTable(context, address, 1);
      return yield* readSharedMessageRecords(context, index!);
    });
    expect(records.length).toBe(2);
  });

  it("leaves small messages, other kinds and pointers to named datatypes as they are", () => {
    const shared = new SharedMessages({ ...options, kinds: ["attribute"] }, memorySpace());
    const pointer = { ...attribute(1), flags: messageFlag.shared };
    const others = [attribute(1, 49), plainMessage(messageType.datatype, new Uint8Array(60)), pointer];
    for (const message of others) expect(shared.share(message)).toBe(message);
  });
});
