import { describe, expect, it } from "vitest";
import { NumberRows } from "../../src/values/number-rows.ts";

describe("NumberRows", () => {
  it("gives short rows disjoint parts of buffers of 64 KiB, long ones a buffer each", () => {
    const lengths = [0, 1, 3, 12, 13, 400, 0, 1024, 1025, 5000, 2, ...new Array<number>(60).fill(900), 0];
    const stored = new Uint16Array(6000).map((_, i) => i * 7);
    const rows = new NumberRows(2, (bytes, count) => new Uint16Array(new Uint8Array(bytes).buffer, 0, count));
    for (const [i, length] of lengths.entries()) {
      rows.add({ bytes: new Uint8Array(stored.buffer), start: 2 * i, end: stored.byteLength }, length);
    }
    const found = rows.finish();
    expect(found.map(({ length }) => length)).toEqual(lengths);
    for (const [i, row] of found.entries()) {
      expect([...row]).toEqual([...stored.subarray(i, i + lengths[i]!)]);
      if (row.byteLength > 4096) expect([row.byteOffset, row.buffer.byteLength]).toEqual([0, row.byteLength]);
      else expect(row.buffer.byteLength).toBeLessThanOrEqual(65536);
    }
    for (const row of found) (row as Uint16Array).fill(row.length);
    for (const row of found) expect(row.every((value) => value === row.length)).toBe(true);
  });
});
