/** Cells of a row, in one of which a thing is. */
const WAYS = 4;
/** Cells at the start, and at most: one megabyte. */
const FEWEST = 64;
const MOST = 65536;

/**
 * Finds things again by their hash: thousands of them all, of more those that came last. Typed arrays of bounded size, for
 * a table of all among hundreds of thousands takes longer to look into than most of them take to be stored once more.
 */
export class Recent {
  #hashes = new Int32Array(FEWEST);
  #kinds = new Int32Array(FEWEST);
  /** What a thing is known by; 0 where there is none. */
  #places = new Float64Array(FEWEST);

  /** The place of a thing of this hash and kind that `isSame` is true of; 0 where none is known. */
  find(hash: number, kind: number, isSame: (place: number) => boolean): number {
    const first = this.#firstCell(hash);
    for (let cell = first; cell < first + WAYS; cell++) {
      if (this.#hashes[cell] !== hash || this.#kinds[cell] !== kind) continue;
      const place = this.#places[cell]!;
      if (place > 0 && isSame(place)) return place;
    }
    return 0;
  }

  /** Adds a thing, by a place above 0 and those of all before, in the place of the oldest where there is no room. */
  add(hash: number, kind: number, place: number): void {
    let cell = this.#oldestCell(hash);
    while (this.#places[cell]! > 0 && this.#places.length < MOST) {
      this.#grow();
      cell = this.#oldestCell(hash);
    }
    this.#enter(cell, hash, kind, place);
  }

  /** Forgets the things whose place is `least` or beyond. */
  forget(least: number): void {
    for (const [cell, place] of this.#places.entries()) if (place >= least) this.#places[cell] = 0;
  }

  #firstCell(hash: number): number {
    return (hash * WAYS) & (this.#places.length - 1);
  }

  /** The cell of its row that is free, or else whose thing has been there longest. */
  #oldestCell(hash: number): number {
    const first = this.#firstCell(hash);
    let oldest = first;
    for (let cell = first + 1; cell < first + WAYS; cell++) {
      if (this.#places[cell]! < this.#places[oldest]!) oldest = cell;
    }
    return oldest;
  }

  #enter(cell: number, hash: number, kind: number, place: number): void {
    this.#hashes[cell] = hash;
    this.#kinds[cell] = kind;
    this.#places[cell] = place;
  }

  #grow(): void {
    const [hashes, kinds, places] = [this.#hashes, this.#kinds, this.#places];
    this.#hashes = new Int32Array(2 * places.length);
    this.#kinds = new Int32Array(2 * places.length);
    this.#places = new Float64Array(2 * places.length);
    for (const [cell, place] of places.entries()) {
      const hash = hashes[cell]!;
      if (place > 0) this.#enter(this.#oldestCell(hash), hash, kinds[cell]!, place);
    }
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
