/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number of at least 0 and below `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

/** The numbers of mutant `index` of a run: mulberry32, which is good enough to pick bytes. */
export function random(seed: number, index: number): Random {
  let state = Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)]! };
}
