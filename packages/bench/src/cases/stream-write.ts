import { spawnSync } from "node:child_process";
import { type ByteSink, createFile, type DatasetOptions, deflate } from "@h5/writer";
import { fileSink } from "@h5/writer/node";

// Writes 2 GiB that come as blocks of 1 MiB, each case in a process of its own, to nowhere or to the file that the first
// argument names, and tells how far the process grew meanwhile.
const MIB = 2 ** 20;
const BLOCKS = 2048;
const MOST_MIB = 128;

const shape = [BLOCKS, MIB / 8];
const float64 = { dtype: "float64", shape } as const;
const cases: Record<string, DatasetOptions> = {
  contiguous: float64,
  "chunked, 1 MiB each": { ...float64, chunks: [1, MIB / 8] },
  "chunked, 64 KiB each": { ...float64, chunks: [1, MIB / 128] },
  "chunked, 16 KiB each": { ...float64, chunks: [1, MIB / 512] },
  "chunked, deflate 1": { ...float64, chunks: [1, MIB / 8], filters: [deflate(1)] },
};

/** Numbers that deflate well, new ones in each block. */
function* blocks(): Generator<Float64Array> {
  for (let block = 1; block <= BLOCKS; block++) {
    const values = new Float64Array(MIB / 8);
    for (let i = 0; i < values.length; i++) values[i] = block + (i >>> 8);
    yield values;
  }
}

const nowhere: ByteSink = { write: () => {} };

async function measure(name: string, path: string | undefined): Promise<void> {
  const file = createFile();
  file.dataset("x", blocks(), cases[name]);
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  let written = 0;
  await file.writeTo(path === undefined ? nowhere : fileSink(path), {
    onProgress({ bytesWritten }) {
      written = bytesWritten;
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  const grownMib = Math.round(process.resourceUsage().maxRSS / 1024 - before / MIB);
  console.log({ case: name, fileMib: Math.round(written / MIB), grownMib, seconds: Number(seconds.toFixed(1)) });
  process.exitCode = grownMib <= MOST_MIB ? 0 : 1;
}

const [path, name] = process.argv.slice(2);
if (name !== undefined) await measure(name, path || undefined);
else {
  for (const each of Object.keys(cases)) {
    const run = [...process.execArgv, process.argv[1]!, path ?? "", each];
    const { status } = spawnSync(process.execPath, run, { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}
