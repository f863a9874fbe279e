import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytesSource, overlaySource } from "../../src/index.ts";

describe("overlaySource", () => {
  it("reads as the bytes with the overlays written over them", async () => {
    const overlays = fc
      .array(fc.tuple(fc.nat(5), fc.uint8Array({ minLength: 1, maxLength: 6 })), { maxLength: 5 })
      .map((parts) => {
        let at = 0;
        return parts.map(([gap, bytes]) => {
          const overlay = { address: at + gap, bytes };
          at = overlay.address + bytes.length;
          return overlay;
        });
      });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 30 }),
        overlays,
        fc.nat(40),
        fc.nat(20),
        async (bytes, laid, start, length) => {
          const last = laid.at(-1);
          const whole = new Uint8Array(Math.max(bytes.length, last ? last.address + last.bytes.length : 0));
          whole.set(bytes);
          for (const overlay of laid) whole.set(overlay.bytes, overlay.address);
          const source = overlaySource(bytesSource(bytes), [...laid].reverse());
          const expected = whole.slice(start, start + length);
          // Past the source's own end only what an overlay reaches is there.
          const got = new Uint8Array(await source.slice(start, start + length));
          expect(got).toEqual(expected.slice(0, got.length));
          expect(source.peek!(start, start + length)).toEqual(got);
          const reached = laid.some(
            ({ address, bytes: over }) => address + over.length >= start + length && address < start + length,
          );
          if (reached || start + length <= bytes.length) expect(got.length).toBe(length);
        },
      ),
    );
  });

  it("leaves the source's own bytes as they are", async () => {
    const bytes = new Uint8Array(8);
    const source = overlaySource(bytesSource(bytes), [{ address: 2, bytes: new Uint8Array([7]) }]);
    expect(await source.slice(0, 4)).toEqual(new Uint8Array([0, 0, 7, 0]));
    expect(bytes).toEqual(new Uint8Array(8));
  });
});
