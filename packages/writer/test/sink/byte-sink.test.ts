import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { memorySink } from "../../src/index.ts";

describe("memorySink", () => {
  it("holds what was written where it was written, the latest on top, zeros elsewhere", () => {
    const writes = fc.array(fc.record({ position: fc.nat(20_000), bytes: fc.uint8Array({ maxLength: 300 }) }));
    fc.assert(
      fc.property(writes, (list) => {
        const sink = memorySink();
        const expected = new Uint8Array(20_300);
        let end = 0;
        for (const { position, bytes } of list) {
          sink.write(position, bytes);
          expected.set(bytes, position);
          end = Math.max(end, position + bytes.length);
        }
        expect(sink.byteLength).toBe(end);
        // A matcher compares element by element, which takes seconds here.
        expect(Buffer.from(sink.bytes()).equals(expected.subarray(0, end))).toBe(true);
      }),
    );
  });

  it("keeps no bytes it was given, and gives none it keeps", () => {
    const sink = memorySink();
    const bytes = Uint8Array.of(1, 2);
    sink.write(1, bytes);
    bytes[0] = 9;
    sink.bytes()[1] = 8;
    expect(sink.bytes()).toEqual(Uint8Array.of(0, 1, 2));
  });

  it("is empty at first", () => {
    expect(memorySink().bytes()).toEqual(new Uint8Array(0));
  });

  it("says where memory does not do", () => {
    expect(() => memorySink().write(2 ** 50, Uint8Array.of(1))).toThrow(expect.objectContaining({ code: "SOURCE" }));
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("refuses position %s", (position) => {
    expect(() => memorySink().write(position, Uint8Array.of(1))).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});
