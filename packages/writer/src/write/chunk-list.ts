import type { ChunkLocation } from "@h5/btree";

/** Where the chunks of a dataset are: rows of numbers, since objects for millions of chunks would fill the memory. */
export class ChunkList {
  readonly #rank: number;
  /** Of each chunk its coordinate, address, size and filter mask. */
  #numbers: Float64Array;
  #length = 0;
  /** Whether each chunk came after the one before it in row-major order. */
  #ascends = true;
  #sorted: readonly ChunkLocation[] | undefined;

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
    this.#ascends &&= at === 0 || this.#compare(at - this.#rank - 3, at) < 0;
    this.#sorted = undefined;
    this.#length++;
  }

  /** The chunks added so far, in row-major order. */
  sorted(): readonly ChunkLocation[] {
    this.#sorted ??= this.#listed();
    return this.#sorted;
  }

  #listed(): ChunkLocation[] {
    const rank = this.#rank;
    const chunks = Array.from({ length: this.#length }, (_, i) => new ListedChunk(this.#numbers, i * (rank + 3), rank));
    return this.#ascends ? chunks : chunks.sort((a, b) => this.#compare(a.row, b.row));
  }

  #compare(a: number, b: number): number {
    const numbers = this.#numbers;
    let axis = 0;
    while (axis < this.#rank && numbers[a + axis] === numbers[b + axis]) axis++;
    return axis === this.#rank ? 0 : numbers[a + axis]! - numbers[b + axis]!;
  }
}

/** A row of a {@link ChunkList}. */
class ListedChunk implements ChunkLocation {
  readonly #numbers: Float64Array;
  readonly row: number;
  readonly #rank: number;

  constructor(numbers: Float64Array, row: number, rank: number) {
    this.#numbers = numbers;
    this.row = row;
    this.#rank = rank;
  }

  get coordinate(): readonly number[] {
    return Array.from({ length: this.#rank }, (_, axis) => this.#numbers[this.row + axis]!);
  }

  get address(): number {
    return this.#numbers[this.row + this.#rank]!;
  }

  get size(): number {
    return this.#numbers[this.row + this.#rank + 1]!;
  }

  get filterMask(): number {
    return this.#numbers[this.row + this.#rank + 2]!;
  }
}
