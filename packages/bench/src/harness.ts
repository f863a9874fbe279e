/** One side of a comparison. `run` does the whole work once and gives a number that depends on all of it. */
export interface Contestant {
  readonly name: string;
  readonly run: () => number;
}

/** Medians of a comparison's rounds. */
export interface Comparison {
  readonly milliseconds: readonly [number, number];
  /** Median over rounds of first ÷ second, each round's two timed back to back. */
  readonly ratio: number;
  /** The middle half of the rounds' ratios. */
  readonly spread: readonly [number, number];
}

/**
 * Times two contestants in pairs, in turns that begin with either, so that what else the machine does falls on both.
 * The ratio is what counts: milliseconds are of one machine at one time.
 */
export function compare(first: Contestant, second: Contestant, rounds: number = 15): Comparison {
  const expected = first.run();
  if (second.run() !== expected) throw new Error(`${first.name} and ${second.name} disagree`);
  const times: [number, number][] = [];
  for (let round = 0; round < rounds; round++) {
    const flipped = round % 2 === 1;
    const one = timed(flipped ? second : first, expected);
    const other = timed(flipped ? first : second, expected);
    times.push(flipped ? [other, one] : [one, other]);
  }
  const ratios = times.map(([a, b]) => a / b).sort((a, b) => a - b);
  return {
    milliseconds: [median(times.map(([a]) => a)), median(times.map(([, b]) => b))],
    ratio: median(ratios),
    spread: [ratios[Math.floor(rounds / 4)]!, ratios[Math.floor((rounds * 3) / 4)]!],
  };
}

function timed({ name, run }: Contestant, expected: number): number {
  globalThis.gc?.();
  const start = performance.now();
  if (run() !== expected) throw new Error(`${name} gave another result`);
  return performance.now() - start;
}

/** The middle value, or the mean of the middle two. */
export function median(values: readonly number[]): number {
  const sorted = values.slice().sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Bytes a call leaves on the heap or has to be collected, as far as the heap grows within one call; needs `--expose-gc`. */
export function allocated(run: () => unknown): number {
  if (!globalThis.gc) throw new Error("needs node --expose-gc");
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  run();
  return Math.max(0, process.memoryUsage().heapUsed - before);
}
