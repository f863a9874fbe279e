import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SlabCutter } from "../../src/data/slabs.ts";

describe("SlabCutter", () => {
  it("has no rows of no bytes", () => {
    const cutter = new SlabCutter(0, 2);
    expect([...cutter.add(new Uint8Array(0)), ...cutter.rest()]).toEqual([]);
    expect(cutter.rows).toBe(0);
  });

  it("gives the same slabs however the bytes are cut into pieces", () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 4 }), (cut, rowBytes, slabRows) => {
        const all = cut.flatMap((piece) => [...piece]);
        const cutter = new SlabCutter(rowBytes, slabRows);
        const slabs = [...cut.flatMap((piece) => [...cutter.add(piece as Uint8Array<ArrayBuffer>)]), ...cutter.rest()];
        const rows = Math.floor(all.length / rowBytes);
        expect(slabs.flatMap(({ bytes }) => [...bytes])).toEqual(all.slice(0, rows * rowBytes));
        expect(slabs.map(({ start }) => start)).toEqual(slabs.map((_, i) => i * slabRows));
        expect(slabs.slice(0, -1).every((slab) => slab.rows === slabRows)).toBe(true);
        expect(cutter.rows).toBe(rows);
        expect(cutter.waiting).toBe(all.length - rows * rowBytes);
      }),
    );
  });
});
