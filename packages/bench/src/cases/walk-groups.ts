import { fileSource } from "@h5/framing/node";
import { open } from "@h5/reader";

// Walks every object of a file and reads the attributes of its datasets, by a source that counts. The file is the first
// argument: 10,000 groups, each with a dataset of three attributes, is what the figures of the project are quoted for.
const path = process.argv[2];
if (path === undefined) throw new Error("usage: node packages/bench/run.mjs walk-groups FILE");
const file = await fileSource(path);
const asked = { requests: 0, bytes: 0 };
const counting = {
  byteLength: file.byteLength,
  async slice(start: number, end: number): Promise<Uint8Array> {
    const bytes = await file.slice(start, end);
    asked.requests++;
    asked.bytes += bytes.length;
    return bytes;
  },
};

const begun = performance.now();
const walked = { objects: 0, attributes: 0 };
for await (const { object } of (await open(counting)).visit()) {
  walked.objects++;
  if (object?.kind === "dataset") walked.attributes += Object.keys(await object.attrs.toObject()).length;
}
const milliseconds = Math.round(performance.now() - begun);
const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
console.log({ ...walked, ...asked, milliseconds, peakMiB });
await file.close();
