/** Bytes that can be told from their address, however many there are. */
export interface RepeatingBytes {
  at(address: number): number;
  /** Puts those from `address` on into `target`. */
  fill(address: number, target: Uint8Array): void;
}

/** They repeat after a prime number of them, so that a shift by a round number is seen. */
const PERIOD = 1048573;

export function repeatingBytes(): RepeatingBytes {
  const pattern = Uint8Array.from({ length: PERIOD }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
  return {
    at: (address) => pattern[address % PERIOD]!,
    fill(address, target) {
      for (let done = 0; done < target.length; ) {
        const from = (address + done) % PERIOD;
        const part = pattern.subarray(from, from + target.length - done);
        target.set(part, done);
        done += part.length;
      }
    },
  };
}
