import { lookup3 } from "@h5/framing";

/** Values of the chunks of /grid in four-byte-widths.h5, each stored with a fletcher32 sum behind it. */
const SUMMED_CHUNKS = [
  [0, 1, 2, 4, 5, 6],
  [3, 0, 0, 7, 0, 0],
  [8, 9, 10, 0, 0, 0],
  [11, 0, 0, 0, 0, 0],
];

/**
 * Indexes of the bytes that a checksum covers, and of the checksums: superblocks from version 2 on, version 2 object
 * headers and their continuations, whose lengths are found by trying until the checksum fits; and summed chunks.
 */
export function checksummedBytes(bytes: Uint8Array): Set<number> {
  const spans = [...metadataSpans(bytes), ...chunkSpans(bytes)];
  return new Set(spans.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => start + i)));
}

type Span = readonly [start: number, end: number];

function metadataSpans(bytes: Uint8Array): Span[] {
  const text = Buffer.from(bytes).toString("latin1");
  const starts = [...text.matchAll(/OHDR|OCHK/g)].map(({ index }) => index);
  if (text.startsWith("\x89HDF") && bytes[8]! >= 2) starts.unshift(0);
  return starts.map((start) => [start, checksumEnd(bytes, start)]);
}

function checksumEnd(bytes: Uint8Array, start: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let end = start + 4; end + 4 <= bytes.length; end++) {
    if (lookup3(bytes.subarray(start, end)) === view.getUint32(end, true)) return end + 4;
  }
  throw new Error(`no checksum after ${start}`);
}

function chunkSpans(bytes: Uint8Array): Span[] {
  return SUMMED_CHUNKS.flatMap((values) => {
    const stored = Buffer.from(new Float32Array(values).buffer);
    const start = Buffer.from(bytes).indexOf(stored);
    return start < 0 ? [] : [[start, start + stored.length + 4] as const];
  });
}
