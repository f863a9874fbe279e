import type { FloatArray } from "./float-bits.ts";

/** Complex numbers as two columns of floating-point numbers. */
export class ComplexArray implements Iterable<readonly [re: number, im: number]> {
  readonly re: FloatArray;
  readonly im: FloatArray;

  constructor(re: FloatArray, im: FloatArray) {
    this.re = re;
    this.im = im;
  }

  /** How many numbers there are. */
  get length(): number {
    return this.re.length;
  }

  /** Number `i`, counted from the end where negative; `undefined` outside. */
  at(i: number): [re: number, im: number] | undefined {
    const index = i < 0 ? i + this.length : i;
    const re = this.re[index];
    return re === undefined ? undefined : [re, this.im[index]!];
  }

  *[Symbol.iterator](): Generator<[re: number, im: number]> {
    for (let i = 0; i < this.length; i++) yield [this.re[i]!, this.im[i]!];
  }
}
