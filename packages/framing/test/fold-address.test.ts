import { expect, it } from "vitest";
import { ByteReader, bytesSource, encodeSuperblock, locateSuperblock, runSync } from "../src/index.ts";

const far = Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 128);

it("stands for an address beyond 2^53-1 alone", () => {
  const widths = { offsetSize: 8, lengthSize: 8, foldAddress: (address: bigint) => Number(address - 2n ** 63n) };
  expect(new ByteReader(far, "test").offsetField(widths)).toBe(1);
  expect(new ByteReader(Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0), "test").offsetField(widths)).toBe(7);
  expect(new ByteReader(new Uint8Array(8).fill(255), "test").offsetField(widths)).toBeUndefined();
  expect(new ByteReader(far, "test").offsetField({ ...widths, offsetSize: 4 })).toBe(1);
  expect(() => new ByteReader(far, "test").offsetField({ offsetSize: 8, lengthSize: 8 })).toThrow(
    expect.objectContaining({ code: "INVALID_FIELD" }),
  );
});

it("reaches the superblock, which does not keep it", () => {
  const root = { nameOffset: 0, headerAddress: 96, cacheType: 0 } as const;
  const bytes = encodeSuperblock({
    ...{ version: 0, offsetSize: 8, lengthSize: 8, baseAddress: 0, endOfFileAddress: 96, rootAddress: 96 },
    consistencyFlags: 0,
    rootEntry: root,
  });
  // The object header's address in the root group's entry.
  bytes.set(far, 64);
  expect(() => runSync(locateSuperblock(), bytesSource(bytes))).toThrow(
    expect.objectContaining({ code: "INVALID_FIELD" }),
  );
  const { superblock } = runSync(
    locateSuperblock(() => 12),
    bytesSource(bytes),
  );
  expect(superblock.rootAddress).toBe(12);
  expect(structuredClone(superblock)).toEqual(superblock);
});
