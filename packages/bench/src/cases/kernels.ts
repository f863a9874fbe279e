import { deflateSync, inflateSync } from "node:zlib";
import { fletcher32 } from "@h5/filters/fletcher32";
import { deflateDecoder } from "@h5/filters/inflate";
import { lzfDecoder, lzfEncoder } from "@h5/filters/lzf";
import { scaleOffsetDecoder } from "@h5/filters/scale-offset";
import { shuffleDecoder, shuffleEncoder } from "@h5/filters/shuffle";
import { type Contestant, compare } from "../harness.ts";

// The loops that decoding spends its time in, each beside the plainest form of it, on what a chunk of 256 KiB holds. A
// ratio below 1 says by how much the library's form is faster.
const BYTES = 262144;
const ROUNDS = 8;

/** Numbers with high bytes that repeat, as measurements have them. */
const chunk = new Uint8Array(Float32Array.from({ length: BYTES / 4 }, (_, i) => Math.sin(i / 500) * 100).buffer);
const options = { expectedBytes: BYTES, maxBytes: BYTES };
const into = new Uint8Array(BYTES);

/** Does `once` some times, so that a run is not over at once, and adds up something of each result. */
function contestant(name: string, once: () => Uint8Array | number): Contestant {
  return {
    name,
    run() {
      let sum = 0;
      for (let i = 0; i < ROUNDS; i++) {
        const result = once();
        sum += typeof result === "number" ? result : result[result.length >>> 1]! + result.length;
      }
      return sum;
    },
  };
}

function unshuffleBytes(bytes: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(bytes.length);
  const count = Math.floor(bytes.length / size);
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < count; i++) output[i * size + plane] = bytes[plane * count + i]!;
  }
  output.set(bytes.subarray(count * size), count * size);
  return output;
}

function shuffleBytes(bytes: Uint8Array, size: number): Uint8Array {
  const output = new Uint8Array(bytes.length);
  const count = Math.floor(bytes.length / size);
  for (let plane = 0; plane < size; plane++) {
    for (let i = 0; i < count; i++) output[plane * count + i] = bytes[i * size + plane]!;
  }
  output.set(bytes.subarray(count * size), count * size);
  return output;
}

function fletcher32Bytes(bytes: Uint8Array): number {
  let [sum1, sum2] = [0, 0];
  for (let at = 0; at < bytes.length; at += 2) {
    sum1 = (sum1 + ((bytes[at]! << 8) | bytes[at + 1]!)) % 65535;
    sum2 = (sum2 + sum1) % 65535;
  }
  return sum2 * 65536 + sum1;
}

function lzfBytes(bytes: Uint8Array): Uint8Array {
  const output = new Uint8Array(BYTES);
  for (let from = 0, to = 0; from < bytes.length; ) {
    const control = bytes[from++]!;
    if (control < 32) {
      for (let i = 0; i <= control; i++) output[to++] = bytes[from++]!;
      continue;
    }
    let length = (control >>> 5) + 2;
    if (length === 9) length += bytes[from++]!;
    let back = to - (((control & 31) << 8) | bytes[from++]!) - 1;
    for (let i = 0; i < length; i++) output[to++] = output[back++]!;
  }
  return output;
}

/** 12-bit numbers, a bit at a time, on top of a minimum. */
function scaleOffsetBits(bytes: Uint8Array): Uint8Array {
  const output = new Uint32Array(BYTES / 4);
  for (let i = 0, bit = 21 * 8; i < output.length; i++) {
    let value = 0;
    for (let k = 0; k < 12; k++, bit++) value = (value << 1) | ((bytes[bit >>> 3]! >>> (7 - (bit & 7))) & 1);
    output[i] = value + 7;
  }
  return new Uint8Array(output.buffer);
}

const packed = Uint8Array.from({ length: 21 + (BYTES / 4) * 1.5 }, (_, i) => (i * 37) >>> 3);
packed.set([12, 0, 0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0]);
const scaled = [2, 0, BYTES / 4, 0, 4, 0, 0, 0, ...new Array<number>(12).fill(0)];
const squeezed = lzfEncoder.encode(shuffleEncoder.encode(chunk, [4])!, [])!;
const deflated = new Uint8Array(deflateSync(shuffleEncoder.encode(chunk, [4])!, { level: 6 }));

const pairs: (readonly [Contestant, Contestant])[] = [2, 3, 4, 8, 25].flatMap((size) => {
  const shuffled = shuffleEncoder.encode(chunk, [size])!;
  return [
    [
      contestant(`unshuffle, ${size} bytes`, () => shuffleDecoder.decode(shuffled, [size], { ...options, into })),
      contestant("plane by plane", () => unshuffleBytes(shuffled, size)),
    ],
    [
      contestant(`shuffle, ${size} bytes`, () => shuffleEncoder.encode(chunk, [size])!),
      contestant("plane by plane", () => shuffleBytes(chunk, size)),
    ],
  ] as const;
});
pairs.push(
  [contestant("fletcher32", () => fletcher32(chunk)), contestant("reduced at each word", () => fletcher32Bytes(chunk))],
  [
    contestant("lzf", () => lzfDecoder.decode(squeezed, [], { ...options, into })),
    contestant("byte by byte", () => lzfBytes(squeezed)),
  ],
  [
    contestant("scale-offset, 12 bits", () => scaleOffsetDecoder.decode(packed, scaled, { ...options, into })),
    contestant("bit by bit", () => scaleOffsetBits(packed)),
  ],
  [
    contestant("inflate", () => deflateDecoder.decodeSync!(deflated, [6], options)),
    contestant("inflateSync without a size", () => new Uint8Array(inflateSync(deflated))),
  ],
);

for (const [ours, plain] of pairs) {
  const { milliseconds, ratio, spread } = compare(ours, plain);
  const rate = (ROUNDS * BYTES) / 1000 / milliseconds[0];
  const [low, high] = spread.map((x) => x.toFixed(2));
  const title = `${ours.name} ÷ ${plain.name}`;
  console.log(`${title.padEnd(48)} ${ratio.toFixed(3)} (${low} to ${high}), ${rate.toFixed(0)} MB/s here, now`);
}
