import { open } from "@h5/reader";
import { slice } from "@h5/selection";
import { countingSource, repeatingBytes, sparseBytes } from "@h5/testing";
import { createFile } from "@h5/writer";

// Reads more than 4 GiB of 8-byte elements into one array, from bytes that are computed as they are asked for, and tells how
// long that takes beside computing them, and what memory the read took beyond its result. It comes in two reads, since no
// array of bytes is longer than 4 GiB on Node 20, not even as the target of one read.
const MIB = 2 ** 20;
const LENGTH = 2 ** 29 + 12346;

function* zeros(): Generator<BigUint64Array> {
  const block = new BigUint64Array(MIB / 8);
  for (let left = LENGTH; left > 0; left -= block.length) yield block.subarray(0, Math.min(left, block.length));
}

const stored = repeatingBytes();
const bytes = sparseBytes(0, stored.fill);
const file = createFile();
file.dataset("x", zeros(), { dtype: "uint64", shape: [LENGTH] });
await file.writeTo(bytes);

const dataset = await (await open(countingSource(bytes))).dataset("x");
if (!dataset.is("uint64")) throw new Error(dataset.dtype);
const { address } = dataset.layout as { address: number };
await dataset.get([slice(0, MIB)]);

const timed = (begun: number): number => (performance.now() - begun) / 1000;
const computing = performance.now();
for (let at = 0; at < LENGTH * 8; at += 4 * MIB) bytes.slice(address + at, address + at + 4 * MIB);
const computed = timed(computing);

globalThis.gc?.();
const before = process.memoryUsage().rss;
const reading = performance.now();
const values = new BigUint64Array(LENGTH);
for (const [start, stop] of [
  [0, LENGTH / 2],
  [LENGTH / 2, LENGTH],
] as const) {
  await dataset.get([slice(start, stop)], { into: values.subarray(start, stop) });
}
const read = timed(reading);
const grownMib = process.resourceUsage().maxRSS / 1024 - before / MIB;

// Metadata may lie in the blocks at the ends.
for (let i = 512; i < LENGTH - 512; i += 99_991) {
  const low = stored.at(address + i * 8);
  if (Number(values[i]! & 255n) !== low) throw new Error(`another element at ${i}`);
}
const gib = values.byteLength / 2 ** 30;
console.log({
  gib: Number(gib.toFixed(2)),
  secondsRead: Number(read.toFixed(1)),
  secondsComputing: Number(computed.toFixed(1)),
  aboveResultMib: Math.round(grownMib - values.byteLength / MIB),
});
