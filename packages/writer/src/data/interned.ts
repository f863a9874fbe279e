/**
 * Finds things by their hash, which are numbered from 0 on in the order they are added. Typed arrays, open addressing:
 * hundreds of thousands leave the garbage collector nothing to do.
 */
export class Interned {
  #count = 0;
  #hashes = new Int32Array(32);
  /** A number and one, 0 where there is none; at most every second cell is taken. */
  #cells = new Int32Array(64);

  get count(): number {
    return this.#count;
  }

  /** The number of the first thing of this hash that `isSame` is true of; -1 where there is none. */
  find(hash: number, isSame: (number: number) => boolean): number {
    const mask = this.#cells.length - 1;
    for (let cell = hash & mask; ; cell = (cell + 1) & mask) {
      const number = this.#cells[cell]! - 1;
      if (number < 0 || (this.#hashes[number] === hash && isSame(number))) return number;
    }
  }

  /** Adds a thing. @returns its number */
  add(hash: number): number {
    if (this.#count === this.#hashes.length) this.#grow();
    this.#hashes[this.#count] = hash;
    this.#enter(this.#count);
    return this.#count++;
  }

  /** Forgets all things but the first `count`. */
  cut(count: number): void {
    if (count === this.#count) return;
    this.#count = count;
    if (count === 0) this.#hashes = new Int32Array(32);
    this.#rebuild();
  }

  #grow(): void {
    const hashes = new Int32Array(this.#hashes.length * 2);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
    this.#rebuild();
  }

  #rebuild(): void {
    this.#cells = new Int32Array(this.#hashes.length * 2);
    for (let number = 0; number < this.#count; number++) this.#enter(number);
  }

  #enter(number: number): void {
    const mask = this.#cells.length - 1;
    let cell = this.#hashes[number]! & mask;
    while (this.#cells[cell] !== 0) cell = (cell + 1) & mask;
    this.#cells[cell] = number + 1;
  }
}

/** A hash of 32 bits of the first `length` bytes, quick rather than strong: what has the same is compared. */
export function quickHash(bytes: Uint8Array, length: number = bytes.length): number {
  const whole = length & ~3;
  let hash = length | 0;
  let at = 0;
  for (; at < whole; at += 4) {
    const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    hash = Math.imul(hash ^ word, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  for (; at < length; at++) hash = Math.imul(hash ^ bytes[at]!, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
