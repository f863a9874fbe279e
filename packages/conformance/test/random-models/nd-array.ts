/** A plain n-dimensional array that grows and shrinks: what a dataset is meant to do, done in the dullest way. */
export class NdArray<V> {
  shape: readonly number[];
  readonly #fill: V;
  readonly #values = new Map<string, V>();

  constructor(shape: readonly number[], fill: V) {
    this.shape = shape;
    this.#fill = fill;
  }

  /** All elements in row-major order. */
  get elements(): V[] {
    return coordinates(this.shape).map((at) => this.#values.get(at.join()) ?? this.#fill);
  }

  write(start: readonly number[], shape: readonly number[], block: readonly V[]): void {
    coordinates(shape).forEach((at, i) => {
      const place = at.map((c, d) => c + start[d]!);
      if (place.every((c, d) => c < this.shape[d]!)) this.#values.set(place.join(), block[i]!);
    });
  }

  resize(shape: readonly number[]): void {
    const kept = new Set(coordinates(shape).map((at) => at.join()));
    for (const key of this.#values.keys()) if (!kept.has(key)) this.#values.delete(key);
    this.shape = shape;
  }
}

/** All coordinates in a shape, row-major. */
export function coordinates(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (outer, size) => outer.flatMap((at) => Array.from({ length: size }, (_, i) => [...at, i])),
    [[]],
  );
}

export function product(shape: readonly number[]): number {
  return shape.reduce((count, size) => count * size, 1);
}
