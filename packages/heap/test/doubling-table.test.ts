import { InvalidFieldError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { blockAt, blockOffset, doublingTable, indirectRows, rowBlockSize } from "../src/index.ts";

/** The table libhdf5 makes for links. */
const links = { width: 4, startBlockSize: 512, maxDirectSize: 65536, maxHeapBits: 32 };

describe("doublingTable", () => {
  const table = doublingTable(links);

  it("has two rows of the starting size, and then doubles", () => {
    expect([0, 1, 2, 3, 8].map((row) => rowBlockSize(table, row))).toEqual([512, 512, 1024, 2048, 65536]);
    expect([0, 1, 2, 3].map((row) => blockOffset(table, row, 1))).toEqual([512, 2560, 5120, 10240]);
    expect([table.directRows, table.firstRowBits, table.maxRows]).toEqual([9, 11, 22]);
  });

  it("finds the block of each block's first and last byte", () => {
    for (let row = 0; row < table.maxRows; row++) {
      for (let column = 0; column < table.width; column++) {
        const first = blockOffset(table, row, column);
        expect(blockAt(table, first)).toEqual({ row, column });
        expect(blockAt(table, first + rowBlockSize(table, row) - 1)).toEqual({ row, column });
      }
    }
  });

  it("has fewer rows in a child than the child's own row", () => {
    for (let row = table.directRows; row < table.maxRows; row++) {
      const rows = indirectRows(table, row);
      expect(rows).toBeLessThan(row);
      expect(blockOffset(table, rows, 0)).toBe(rowBlockSize(table, row));
    }
  });

  it("refuses parameters that make none", () => {
    for (const wrong of [
      { width: 0 },
      { width: 3 },
      { startBlockSize: 500 },
      { maxDirectSize: 256 },
      { maxHeapBits: 9 },
    ]) {
      expect(() => doublingTable({ ...links, ...wrong })).toThrow(InvalidFieldError);
    }
  });
});
