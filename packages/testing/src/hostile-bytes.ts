/** Bytes with one fault in them, and where it is. */
export interface Mutant {
  /** For a truncation the length kept, for a flip the index of the byte changed. */
  readonly at: number;
  /** The mutant, in a buffer of its own. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Every proper prefix of `bytes`, from the empty one up; `step` leaves some out. */
export function* truncations(bytes: Uint8Array, step: number = 1): Generator<Mutant> {
  for (let at = 0; at < bytes.length; at += step) yield { at, bytes: new Uint8Array(bytes.slice(0, at)) };
}

/** `bytes` with one byte exclusive-or'ed by `mask`, for each byte in turn; `step` leaves some out. */
export function* flips(bytes: Uint8Array, mask: number = 0xff, step: number = 1): Generator<Mutant> {
  for (let at = 0; at < bytes.length; at += step) {
    const mutant = new Uint8Array(bytes);
    mutant[at]! ^= mask;
    yield { at, bytes: mutant };
  }
}

/** `bytes` with `patch` written over them at `at`: a fault aimed at one field. */
export function patched(bytes: Uint8Array, at: number, patch: readonly number[]): Uint8Array<ArrayBuffer> {
  if (at + patch.length > bytes.length) throw new RangeError(`no ${patch.length} bytes at ${at} of ${bytes.length}`);
  const copy = new Uint8Array(bytes);
  copy.set(patch, at);
  return copy;
}

/** `count` whole numbers below `limit`, the same ones for the same seed: which mutants to sample. */
export function sample(count: number, limit: number, seed: number = 1): number[] {
  let state = seed >>> 0;
  return Array.from({ length: count }, () => {
    // Numerical Recipes' linear congruential generator; its high bits are good enough to pick bytes.
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  });
}
