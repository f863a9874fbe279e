import { forEachSelectedRun, type Selection } from "@h5/selection";
import { allocated, compare } from "../harness.ts";

// Every third 2 × 2 block of a 10,000 × 10,000 array: 22 million runs of two elements.
const SIDE = 10_000;
const shape = [SIDE, SIDE];
const selection: Selection = {
  type: "hyperslab",
  form: "regular",
  start: [0, 0],
  stride: [3, 3],
  count: [3333, 3333],
  block: [2, 2],
};
const source = new Uint8Array(SIDE * SIDE);
const target = new Uint8Array(6666 * 6666);

/** The runs alone: what the library costs. */
function iterate(): number {
  let sum = 0;
  forEachSelectedRun(selection, shape, (from, to, length) => {
    sum += from + to + length;
  });
  return sum;
}

/** The same runs from plain loops, copied one by one by `TypedArray.set`: what moving the elements costs. */
function copy(): number {
  let sum = 0;
  let to = 0;
  for (let row = 0; row < SIDE; row++) {
    if (row % 3 === 2 || row >= 9999) continue;
    for (let k = 0; k < 3333; k++) {
      const from = row * SIDE + k * 3;
      target.set(source.subarray(from, from + 2), to);
      sum += from + to + 2;
      to += 2;
    }
  }
  return sum;
}

const runs = 6666 * 3333;
const { milliseconds, ratio, spread } = compare(
  { name: "forEachSelectedRun", run: iterate },
  { name: "TypedArray.set", run: copy },
);
const perRun = milliseconds.map((ms) => ((ms * 1e6) / runs).toFixed(1));
const [low, high] = spread.map((x) => x.toFixed(3));
console.log(`runs                          ${runs.toLocaleString("en")}`);
console.log(`iterating a run ÷ copying it  ${ratio.toFixed(3)} (${low} to ${high}), below 1 wanted`);
console.log(`                              ${perRun[0]} ns ÷ ${perRun[1]} ns on this machine, now`);
console.log(`allocated by all the runs     ${allocated(iterate).toLocaleString("en")} bytes`);
process.exitCode = ratio < 1 ? 0 : 1;
