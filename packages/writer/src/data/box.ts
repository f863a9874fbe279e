/** A box of elements: a dense row-major array of `shape` that begins at `start` of the dataset. */
export interface ElementBox {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/** The part that two boxes share; undefined where there is none. */
export function intersectBoxes(a: ElementBox, b: ElementBox): ElementBox | undefined {
  const start = a.start.map((first, d) => Math.max(first, b.start[d]!));
  const shape = start.map((first, d) => Math.min(a.start[d]! + a.shape[d]!, b.start[d]! + b.shape[d]!) - first);
  return shape.every((size) => size > 0) ? { start, shape } : undefined;
}

/** Copies `part`, which both boxes hold, from the bytes of one into those of the other. */
export function copyBox(
  part: ElementBox,
  source: ElementBox & { readonly bytes: Uint8Array },
  target: ElementBox & { readonly bytes: Uint8Array },
  elementSize: number,
): void {
  const rank = part.shape.length;
  const sourceStrides = stridesOf(source.shape, elementSize);
  const targetStrides = stridesOf(target.shape, elementSize);
  // The innermost axes that are whole in both boxes are one run.
  let inner = rank;
  let run = elementSize;
  while (inner > 0) {
    inner--;
    run = part.shape[inner]! * sourceStrides[inner]!;
    if (part.shape[inner] !== source.shape[inner] || part.shape[inner] !== target.shape[inner]) break;
  }
  const copyLevel = (axis: number, from: number, to: number): void => {
    if (axis === inner || rank === 0) {
      target.bytes.set(source.bytes.subarray(from, from + run), to);
      return;
    }
    for (let i = 0; i < part.shape[axis]!; i++) {
      copyLevel(axis + 1, from + i * sourceStrides[axis]!, to + i * targetStrides[axis]!);
    }
  };
  copyLevel(0, offsetOf(part, source, sourceStrides), offsetOf(part, target, targetStrides));
}

function stridesOf(shape: readonly number[], elementSize: number): number[] {
  const strides = new Array<number>(shape.length);
  for (let d = shape.length - 1, stride = elementSize; d >= 0; d--) {
    strides[d] = stride;
    stride *= shape[d]!;
  }
  return strides;
}

function offsetOf(part: ElementBox, box: ElementBox, strides: readonly number[]): number {
  return part.start.reduce((sum, first, d) => sum + (first - box.start[d]!) * strides[d]!, 0);
}
