import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BlockStore, cellsOf } from "../../src/data/block-store.ts";

/** One byte an element; 255 is the fill value. */
const FILL = Uint8Array.of(255);

/** All coordinates in a shape, row-major. */
function coordinates(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (outer, size) => outer.flatMap((at) => Array.from({ length: size }, (_, i) => [...at, i])),
    [[]],
  );
}

const steps = fc.array(
  fc.record({
    what: fc.constantFrom("add", "add", "append", "append", "resize"),
    start: fc.array(fc.nat(12), { minLength: 3, maxLength: 3 }),
    size: fc.array(fc.nat(8), { minLength: 3, maxLength: 3 }),
  }),
  { maxLength: 25 },
);

describe("BlockStore", () => {
  it("holds what a plain array does, in every chunk, after any blocks and shapes", () => {
    const units = fc
      .integer({ min: 1, max: 3 })
      .chain((rank) => fc.array(fc.integer({ min: 1, max: 5 }), { minLength: rank, maxLength: rank }));
    fc.assert(
      fc.property(units, steps, (unit, changes) => {
        const store = new BlockStore(1, FILL, unit);
        const plain = new Map<string, number>();
        let shape = unit.map(() => 7);
        changes.forEach(({ what, start, size }, i) => {
          if (what === "resize") {
            const before = shape;
            shape = unit.map((_, d) => start[d]!);
            store.clip(shape, before);
            const kept = new Set(coordinates(shape).map(String));
            for (const key of plain.keys()) if (!kept.has(key)) plain.delete(key);
            return;
          }
          const isLast = what === "append";
          const block = {
            start: isLast ? shape.map((end, d) => (d === 0 ? end : 0)) : start.slice(0, unit.length),
            shape: isLast ? shape.map((end, d) => (d === 0 ? size[0]! : end)) : size.slice(0, unit.length),
          };
          const inBlock = coordinates(block.shape).map((at) => at.map((c, d) => c + block.start[d]!));
          const bytes = new Uint8Array(inBlock.length).fill(i);
          if (!isLast) store.add({ ...block, bytes }, shape);
          else if (bytes.length > 0) {
            shape = shape.map((end, d) => (d === 0 ? end + size[0]! : end));
            store.append({ ...block, bytes }, shape);
          }
          for (const at of inBlock) if (at.every((c, d) => c < shape[d]!)) plain.set(at.join(), i);
        });
        const touched = [...store.touchedCells(shape)].map(String);
        const cells = [...cellsOf({ start: shape.map(() => 0), shape }, unit)];
        // Row-major, and all that hold something.
        expect(cells.map(String).filter((cell) => touched.includes(cell))).toEqual(touched);
        for (const cell of cells) {
          const box = { start: cell.map((c, d) => c * unit[d]!), shape: unit };
          const expected = coordinates(unit).map((at) => plain.get(at.map((c, d) => c + box.start[d]!).join()) ?? 255);
          expect([...(store.elements(box) ?? expected.map(() => 255))]).toEqual(expected);
          if (expected.some((value) => value !== 255)) expect(touched).toContain(String(cell));
        }
      }),
    );
  });

  it("keeps rows that are added one after another together, and copies them", () => {
    const store = new BlockStore(1, FILL, [1 << 16]);
    const rows = 5000;
    const bytes = new Uint8Array(rows);
    for (let i = 0; i < 500; i++)
      store.append({ start: [i * rows], shape: [rows], bytes: bytes.fill(i) }, [(i + 1) * rows]);
    for (let cell = 0; cell < 38; cell++) {
      const start = cell << 16;
      const expected = Uint8Array.from({ length: 1 << 16 }, (_, i) => Math.floor((start + i) / rows));
      expect(Buffer.compare(store.elements({ start: [start], shape: [1 << 16] })!, expected)).toBe(0);
    }
    // Most are parts of memory that holds many of them.
    const whole = Array.from({ length: 38 }, (_, cell) => store.elements({ start: [cell << 16], shape: [1 << 16] })!);
    expect(new Set(whole.map(({ buffer }) => buffer)).size).toBeLessThan(10);
  });

  it("has nothing where nothing was added", () => {
    const store = new BlockStore(1, FILL, [4]);
    expect(store.isEmpty).toBe(true);
    expect(store.elements({ start: [0], shape: [4] })).toBeUndefined();
    expect([...store.touchedCells([10])]).toEqual([]);
  });

  it("keeps chunks as they are stored until a block has all their elements", () => {
    const store = new BlockStore(1, FILL, [4]);
    const raw = { bytes: Uint8Array.of(1), filterMask: 0 };
    store.setRaw([0], raw);
    store.setRaw([1], raw);
    expect([...store.touchedCells([6])]).toEqual([[0], [1]]);
    expect(() => store.add({ start: [3], shape: [1], bytes: Uint8Array.of(9) }, [6])).toThrow(/chunk \[0\]/);
    store.add({ start: [4], shape: [2], bytes: Uint8Array.of(8, 9) }, [6]);
    expect(store.raw([0])).toBe(raw);
    expect(store.raw([1])).toBeUndefined();
    expect(store.elements({ start: [4], shape: [4] })).toEqual(Uint8Array.of(8, 9, 255, 255));
  });

  it("forgets chunks that a smaller shape leaves outside", () => {
    const store = new BlockStore(1, FILL, [4]);
    store.setRaw([0], { bytes: Uint8Array.of(1), filterMask: 0 });
    store.setRaw([1], { bytes: Uint8Array.of(1), filterMask: 0 });
    store.clip([4], [6]);
    expect([...store.touchedCells([8])]).toEqual([[0]]);
  });

  it("refuses a shape that cuts a chunk given as it is stored, and changes nothing", () => {
    const store = new BlockStore(1, FILL, [4, 4]);
    store.setRaw([1, 0], { bytes: Uint8Array.of(1), filterMask: 0 });
    expect(() => store.clip([6, 3], [8, 3])).toThrow(/chunk \[1,0\]/);
    expect(() => store.clip([6, 2], [6, 3])).toThrow(/chunk \[1,0\]/);
    // It sticks out already.
    store.clip([6, 3], [6, 3]);
    expect([...store.touchedCells([6, 3])]).toEqual([[1, 0]]);
    store.clip([4, 3], [6, 3]);
    expect([...store.touchedCells([8, 3])]).toEqual([]);
  });
});
