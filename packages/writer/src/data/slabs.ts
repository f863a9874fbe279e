/** Whole rows of a dataset, as many as a chunk is high; fewer at the end. */
export interface Slab {
  /** Number of the first row. */
  readonly start: number;
  readonly rows: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Cuts elements that come in pieces of any length, in row-major order, into slabs of `slabRows` rows. */
export class SlabCutter {
  readonly #rowBytes: number;
  readonly #slabRows: number;
  #buffer: Uint8Array<ArrayBuffer>;
  #used = 0;
  #start = 0;

  constructor(rowBytes: number, slabRows: number) {
    this.#rowBytes = rowBytes;
    this.#slabRows = slabRows;
    this.#buffer = new Uint8Array(0);
  }

  /** Rows cut so far. */
  get rows(): number {
    return this.#start;
  }

  /** Bytes that wait for more: after {@link rest}, what is left of a row. */
  get waiting(): number {
    return this.#used;
  }

  /** The slabs that a piece completes. */
  *add(piece: Uint8Array<ArrayBuffer>): Generator<Slab> {
    const size = this.#rowBytes * this.#slabRows;
    for (let at = 0; at < piece.length; ) {
      if (this.#used === 0 && piece.length - at >= size) {
        yield this.#cut(piece.subarray(at, at + size), this.#slabRows);
        at += size;
        continue;
      }
      if (this.#buffer.length === 0) this.#buffer = new Uint8Array(size);
      const taken = Math.min(size - this.#used, piece.length - at);
      this.#buffer.set(piece.subarray(at, at + taken), this.#used);
      this.#used += taken;
      at += taken;
      if (this.#used < size) return;
      this.#used = 0;
      yield this.#cut(this.#buffer, this.#slabRows);
      // What was given away may be waiting to be written.
      this.#buffer = new Uint8Array(0);
    }
  }

  /** The rows left over at the end, if any. */
  *rest(): Generator<Slab> {
    if (this.#used < this.#rowBytes || this.#used === 0) return;
    const rows = Math.floor(this.#used / this.#rowBytes);
    const bytes = rows * this.#rowBytes;
    this.#used -= bytes;
    yield this.#cut(this.#buffer.subarray(0, bytes), rows);
  }

  #cut(bytes: Uint8Array<ArrayBuffer>, rows: number): Slab {
    const slab = { start: this.#start, rows, bytes };
    this.#start += rows;
    return slab;
  }
}
