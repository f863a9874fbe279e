import { repeatingBytes, type SparseBytes, sparseBytes } from "@h5/testing";
import { createFile } from "@h5/writer";

const MIB = 2 ** 20;
/** More than 2 GiB, and not a whole number of anything. */
const LENGTH = 2 ** 31 + 5001;

function* zeros(): Generator<Uint8Array> {
  const block = new Uint8Array(MIB);
  for (let left = LENGTH; left > 0; left -= MIB) yield block.subarray(0, Math.min(left, MIB));
}

/**
 * A file that is nowhere whole: a dataset `x` of more than 2^31 bytes, whose values are computed from their address.
 */
export async function largeFile(layout: "contiguous" | "chunked"): Promise<{ bytes: SparseBytes; length: number }> {
  const bytes = sparseBytes(0, repeatingBytes().fill);
  const file = createFile();
  file.dataset("x", zeros(), {
    dtype: "uint8",
    shape: [LENGTH],
    // What is all zeros is stored too, where that is not the fill value.
    ...(layout === "chunked" && { chunks: [MIB], fillValue: 1 }),
  });
  await file.writeTo(bytes);
  return { bytes, length: LENGTH };
}
