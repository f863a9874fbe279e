import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import {
  bytesSource,
  decodeSuperblock,
  encodeSuperblock,
  endOfFile,
  InvalidFieldError,
  locateSuperblock,
  lookup3,
  runSync,
  UnexpectedEofError,
  UnsupportedFeatureError,
} from "../src/index.ts";
import { openFixture } from "./open-fixture.ts";

const locate = (bytes: Uint8Array): ReturnType<typeof decodeSuperblock> & { at: number } => {
  const { superblock, address } = runSync(locateSuperblock(), bytesSource(bytes));
  return { ...superblock, at: address };
};

/** A copy with some bytes changed, and the checksum made right again for versions 2 and 3. */
function changed(name: string, changes: Record<number, number>): Uint8Array {
  const bytes = fixtureBytes(`framing/${name}`);
  for (const [at, value] of Object.entries(changes)) bytes[Number(at)] = value;
  if (bytes[8]! >= 2) new DataView(bytes.buffer).setUint32(44, lookup3(bytes.subarray(0, 44)), true);
  return bytes;
}

describe("decodeSuperblock", () => {
  it("reads version 0 with its K values and the root group's entry", () => {
    const { superblock, bytes } = openFixture("superblock-0.h5");
    expect(superblock).toMatchObject({ version: 0, offsetSize: 8, lengthSize: 8, baseAddress: 0, rootAddress: 96 });
    expect(superblock).toMatchObject({ groupInternalK: 8, groupLeafK: 6, chunkInternalK: undefined });
    expect(superblock).toMatchObject({
      consistencyFlags: 0,
      freeSpaceAddress: undefined,
      driverInfoAddress: undefined,
    });
    expect(superblock.rootEntry).toMatchObject({ nameOffset: 0, headerAddress: 96, cacheType: 1 });
    expect(endOfFile(superblock)).toBe(bytes.length);
  });

  it("reads version 1 with the chunk K", () => {
    const { superblock } = openFixture("superblock-1.h5");
    expect(superblock).toMatchObject({ version: 1, rootAddress: 100, chunkInternalK: 20, groupInternalK: 16 });
  });

  it("reads version 2 with its extension", () => {
    const { superblock, bytes } = openFixture("superblock-2-btree-k.h5");
    expect(superblock).toMatchObject({ version: 2, rootAddress: 97, extensionAddress: 48 });
    expect(endOfFile(superblock)).toBe(bytes.length);
  });

  it("reads version 3 without one", () => {
    const { superblock } = openFixture("superblock-3.h5");
    expect(superblock).toMatchObject({ version: 3, rootAddress: 48, extensionAddress: undefined });
  });

  it.each([
    ["widths-4.h5", 4, 0],
    ["widths-2.h5", 2, 0],
    ["widths-2-latest.h5", 2, 3],
  ])("reads %s", (name, width, version) => {
    expect(openFixture(name).superblock).toMatchObject({ version, offsetSize: width, lengthSize: width });
  });

  it("keeps the flags of a file left open", () => {
    const swmr = changed("superblock-3.h5", { 11: 5 });
    expect(decodeSuperblock(swmr).consistencyFlags).toBe(5);
    expect(decodeSuperblock(changed("superblock-0.h5", { 20: 1 })).consistencyFlags).toBe(1);
  });

  it("names another version or width as unsupported", () => {
    expect(() => decodeSuperblock(changed("superblock-0.h5", { 8: 4 }))).toThrow(/version 4, expected 0 to 3/);
    expect(() => decodeSuperblock(changed("superblock-0.h5", { 9: 1 }))).toThrow(/free-space version 1/);
    expect(() => decodeSuperblock(changed("superblock-0.h5", { 13: 16 }))).toThrow(UnsupportedFeatureError);
    expect(() => decodeSuperblock(changed("superblock-3.h5", { 10: 3 }))).toThrow(/size of lengths 3/);
  });

  it("refuses a wrong checksum, flag or K", () => {
    const bytes = fixtureBytes("framing/superblock-3.h5");
    bytes[36]! ^= 1;
    expect(() => decodeSuperblock(bytes)).toThrow(/expected checksum/);
    expect(() => decodeSuperblock(changed("superblock-3.h5", { 11: 8 }))).toThrow(/unknown consistency flags 0x8/);
    expect(() => decodeSuperblock(changed("superblock-0.h5", { 16: 0 }))).toThrow(/group leaf node K is zero/);
    expect(() => decodeSuperblock(changed("superblock-0.h5", { 18: 0 }))).toThrow(InvalidFieldError);
  });

  it.each(["superblock-0.h5", "superblock-1.h5", "superblock-3.h5"])("refuses %s cut anywhere", (name) => {
    const bytes = fixtureBytes(`framing/${name}`);
    const { length } = encodeSuperblock(decodeSuperblock(bytes));
    for (let end = 8; end < length; end++) {
      expect(() => decodeSuperblock(bytes.subarray(0, end))).toThrow(UnexpectedEofError);
    }
  });
});

describe("locateSuperblock", () => {
  it.each([
    ["userblock-512.h5", 512],
    ["userblock-1024.h5", 1024],
  ])("finds it behind the user block of %s", (name, at) => {
    const bytes = fixtureBytes(`framing/${name}`);
    expect(locate(bytes)).toMatchObject({ at, baseAddress: at, endOfFileAddress: bytes.length });
  });

  it("finds it after the file moved, and still knows where the file ends", () => {
    const bytes = fixtureBytes("framing/userblock-512.h5");
    const without = bytes.slice(512);
    const further = new Uint8Array(3584 + without.length);
    further.set(without, 2048);
    for (const [moved, at] of [
      [without, 0],
      [further, 2048],
    ] as const) {
      const found = locate(moved);
      expect(found).toMatchObject({ at, baseAddress: 512, rootAddress: 96 });
      expect(endOfFile(found)).toBe(without.length);
    }
  });

  it("ends its search where the bytes end", () => {
    const nothing = new Uint8Array(5000);
    expect(() => locate(nothing)).toThrow(/not an HDF5 file/);
    const asked: number[] = [];
    const plan = locateSuperblock();
    let step = plan.next();
    expect(() => {
      while (!step.done) {
        const { start, end } = step.value[0]!;
        asked.push(start);
        step = plan.next([nothing.subarray(start, end)]);
      }
    }).toThrow(InvalidFieldError);
    expect(asked).toEqual([0, 512, 1024, 2048, 4096, 8192]);
  });

  it.each([0, 1, 7, 511])("refuses a file of %i bytes", (length) => {
    expect(() => locate(new Uint8Array(length))).toThrow(/not an HDF5 file/);
  });

  it("refuses a file that ends in its superblock", () => {
    const bytes = fixtureBytes("framing/superblock-3.h5");
    expect(() => locate(bytes.subarray(0, 40))).toThrow(UnexpectedEofError);
  });
});
