/** Reads more bytes than typed arrays once could have, or than memory may; prints what it saw as JSON. */
import { open } from "@h5/reader";
import { countingSource, repeatingBytes } from "@h5/testing";
import { largeFile } from "./large-file.ts";

const MIB = 2 ** 20;
const stored = repeatingBytes();

/** What a read, done once on little before it counts, adds to the memory of this process at its most. */
async function grownBy(read: () => Promise<void>): Promise<number> {
  globalThis.gc!();
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  await read();
  clearInterval(watch);
  return (Math.max(most, process.memoryUsage().rss) - before) / MIB;
}

/** Whether values are those stored from `address` on, at every 8191st place; metadata may lie in the blocks at the ends. */
function agree(values: Uint8Array, address: number, ends: { readonly first: number; readonly last: number }): boolean {
  for (let i = 0; i < values.length; i += 8191) {
    const at = address + i;
    if (at > ends.first && at < ends.last && values[i] !== stored.at(at)) return false;
  }
  return true;
}

function endsOf(address: number, length: number): { first: number; last: number } {
  return { first: address + 4096, last: address + length - 4096 };
}

async function readWhole(): Promise<object> {
  const { bytes, length } = await largeFile("contiguous");
  const dataset = await (await open(countingSource(bytes))).dataset("x");
  const { address } = dataset.layout as { address: number };
  let good = false;
  const grownMib = await grownBy(async () => {
    const { data } = await dataset.get();
    good = (data as Uint8Array).length === length && agree(data as Uint8Array, address, endsOf(address, length));
  });
  return { good, aboveResultMib: grownMib - length / MIB };
}

async function iterate(layout: "contiguous" | "chunked"): Promise<object> {
  const { bytes, length } = await largeFile(layout);
  const dataset = await (await open(countingSource(bytes))).dataset("x");
  const { address } =
    layout === "contiguous" ? (dataset.layout as { address: number }) : (await dataset.chunkInfo())[0]!;
  let seen = 0;
  let good = true;
  const grownMib = await grownBy(async () => {
    for await (const { data } of dataset.chunks()) {
      good &&= agree(data as Uint8Array, address! + seen, endsOf(address!, length));
      seen += (data as Uint8Array).length;
    }
  });
  return { good: good && seen === length, grownMib };
}

const [, , what] = process.argv;
console.log(JSON.stringify(await (what === "whole" ? readWhole() : iterate(what as "contiguous" | "chunked"))));
