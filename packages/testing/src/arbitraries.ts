import fc from "fast-check";

/** A file address or size that fits `width` bytes and a JavaScript number, with the edges likely; never all ones (undefined). */
export function addresses(width: 2 | 4 | 8): fc.Arbitrary<number> {
  const most = width === 8 ? Number.MAX_SAFE_INTEGER : 2 ** (8 * width) - 2;
  return fc.oneof(
    fc.constantFrom(0, 1, 255, 256, most - 1, most),
    fc.maxSafeNat().map((value) => value % (most + 1)),
  );
}

/** A shape of at most `maxRank` dimensions and about `maxElements` elements; sides of 0 and 1 occur. */
export function shapes(maxRank: number = 4, maxElements: number = 5000): fc.Arbitrary<number[]> {
  return fc
    .integer({ min: 1, max: maxRank })
    .chain((rank) => fc.array(fc.nat(Math.floor(maxElements ** (1 / rank))), { minLength: rank, maxLength: rank }));
}

/** A link or attribute name as the format allows it: any text without NUL that is not empty, awkward ones likely. */
export function names(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom("__proto__", "constructor", "10", " ", "é", "長い", "\u{1f600}", "a\nb"),
    fc.string({ minLength: 1, maxLength: 40, unit: "binary" }).filter((name) => !name.includes("\0")),
  );
}
