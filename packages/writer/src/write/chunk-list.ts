import type { ChunkLocation } from "@h5/btree";

/** Where the chunks of a dataset are: rows of numbers, since objects for millions of chunks would fill the memory. */
export class ChunkList {
  readonly #rank: number;
  /** Of each chunk its coordinate, address, size and filter mask. */
  #numbers: Float64Array;
  #length = 0;

  constructor(rank: number) {
    this.#rank = rank;
    this.#numbers = new Float64Array(4 * (rank + 3));
  }

  add(coordinate: readonly number[], address: number, size: number, filterMask: number): void {
    const at = this.#length * (this.#rank + 3);
    if (at === this.#numbers.length) {
      const longer = new Float64Array(2 * at);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers.set(coordinate, at);
    this.#numbers[at + this.#rank] = address;
    this.#numbers[at + this.#rank + 1] = size;
    this.#numbers[at + this.#rank + 2] = filterMask;
    this.#length++;
  }

  /** The chunks added so far, in row-major order. */
  sorted(): ChunkLocation[] {
    const [numbers, rank] = [this.#numbers, this.#rank];
    const rows = Array.from({ length: this.#length }, (_, i) => i * (rank + 3));
    const compare = (a: number, b: number): number => {
      let axis = 0;
      while (axis < rank && numbers[a + axis] === numbers[b + axis]) axis++;
      return axis === rank ? 0 : numbers[a + axis]! - numbers[b + axis]!;
    };
    return rows.sort(compare).map((row) => new ListedChunk(numbers, row, rank));
  }
}

/** A row of a {@link ChunkList}. */
class ListedChunk implements ChunkLocation {
  readonly #numbers: Float64Array;
  readonly #row: number;
  readonly #rank: number;

  constructor(numbers: Float64Array, row: number, rank: number) {
    this.#numbers = numbers;
    this.#row = row;
    this.#rank = rank;
  }

  get coordinate(): readonly number[] {
    return Array.from({ length: this.#rank }, (_, axis) => this.#numbers[this.#row + axis]!);
  }

  get address(): number {
    return this.#numbers[this.#row + this.#rank]!;
  }

  get size(): number {
    return this.#numbers[this.#row + this.#rank + 1]!;
  }

  get filterMask(): number {
    return this.#numbers[this.#row + this.#rank + 2]!;
  }
}
