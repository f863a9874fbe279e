import { fixtureBytes } from "@h5/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeVirtualMappings, encodeVirtualMappings, type VirtualMappings } from "../src/index.ts";
import { bytesOf as hex } from "./hex.ts";

const widths = { offsetSize: 8, lengthSize: 8 };
const { objects } = JSON.parse(new TextDecoder().decode(fixtureBytes("selection/virtual-mappings.json"))) as {
  objects: string[];
};

describe("decodeVirtualMappings", () => {
  it("reads the mappings that h5py wrote", () => {
    const [stacked, strided] = objects.map((object) => decodeVirtualMappings(hex(object), widths));
    expect(stacked!.mappings.map(({ file, dataset }) => [file, dataset])).toEqual([
      [".", "part0"],
      [".", "part1"],
      [".", "part2"],
    ]);
    expect(stacked!.mappings[1]).toMatchObject({
      source: { type: "all" },
      virtual: { form: "blocks", blocks: [{ start: [1, 0, 0], end: [1, 1, 3] }] },
    });
    expect(strided!.mappings).toMatchObject([{ file: ".", dataset: "part1" }]);
  });

  it("encodes what it read to the same bytes", () => {
    for (const object of objects) {
      const mappings = structuredClone(decodeVirtualMappings(hex(object), widths)) as VirtualMappings;
      expect(encodeVirtualMappings(mappings, widths)).toEqual(hex(object));
    }
  });

  it("writes selections as the low bound has them", () => {
    const rows = { start: [0], stride: [2], count: [500], block: [1] };
    const virtual = { type: "hyperslab", form: "regular", ...rows } as const;
    const mappings = [{ file: ".", dataset: "a", source: { type: "all" }, virtual }] as const;
    const read = (low: "earliest" | "v110") =>
      decodeVirtualMappings(encodeVirtualMappings({ version: 0, mappings }, widths, { low }), widths).mappings[0]!
        .virtual;
    expect(read("earliest")).toMatchObject({ version: 1, form: "blocks" });
    expect(read("v110")).toMatchObject({ version: 2, form: "regular", ...rows });
  });

  it("reads and writes version 1, whose names may be those of an earlier mapping", () => {
    const all = { type: "all" } as const;
    const block: VirtualMappings = {
      version: 1,
      mappings: [
        { file: "a.h5", dataset: "/x", source: all, virtual: all, flags: 0 },
        { file: "a.h5", dataset: "/y", source: all, virtual: all, flags: 1 },
        { file: ".", dataset: "/y", source: all, virtual: all, flags: 6 },
      ],
    };
    const bytes = encodeVirtualMappings(block, widths);
    expect(bytes.length).toBe(1 + 8 + (1 + 5 + 3 + 32) + (1 + 8 + 3 + 32) + (1 + 8 + 32) + 4);
    expect(decodeVirtualMappings(bytes, widths)).toMatchObject(block);
  });

  it("refuses a changed byte, an index of a later mapping, and more mappings than fit", () => {
    const object = hex(objects[0]!);
    object[object.length - 10]! ^= 1;
    expect(() => decodeVirtualMappings(object, widths)).toThrow(/checksum|expected/);
    expect(() =>
      decodeVirtualMappings(hex(`01 0100000000000000 01 0500000000000000 ${"00".repeat(40)}`), widths),
    ).toThrow(/index of an earlier mapping, got 5/);
    expect(() => decodeVirtualMappings(hex("00 ffffffff00000000"), widths)).toThrow(/do not fit/);
  });

  it("ends with a typed error for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
        expect(() => decodeVirtualMappings(bytes, widths)).toThrow(
          expect.objectContaining({ code: expect.any(String) }),
        );
      }),
    );
  });
});
