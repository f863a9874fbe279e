/** What pages and workers read, in types that pass from one to the other and to the test. */
import { open } from "@h5/reader";

/** What to read, and where it is: a URL, or a file that the user gave. */
export interface Order {
  readonly reading: "weather" | "window" | "whole";
  readonly input: string | File;
}

/** What is in weather.h5. */
export interface Weather {
  readonly names: readonly string[];
  readonly title: unknown;
  readonly temperature: readonly number[];
  readonly shape: readonly number[];
  readonly time: readonly number[];
  readonly stations: readonly string[];
}

/** Carries an order out. */
export function carryOut({ reading, input }: Order, signal: AbortSignal): Promise<unknown> {
  switch (reading) {
    case "weather":
      return weather(input, signal);
    case "window":
      return window(input, signal);
    case "whole":
      return whole(input, signal);
  }
}

async function weather(input: Order["input"], signal: AbortSignal): Promise<Weather> {
  const file = await open(input, { signal });
  const temperature = await file.dataset("temperature");
  const { data, shape } = await temperature.get();
  const time = await (await file.dataset("time")).get();
  const stations = await (await file.dataset("stations/name")).get();
  return {
    names: await file.keys(),
    title: await file.attrs.get("title"),
    temperature: Array.from(data as Float32Array),
    shape: [...shape],
    time: Array.from(time.data as BigInt64Array, Number),
    stations: stations.data as string[],
  };
}

/** Of a dataset whose chunks are 256 × 512, what lies on both sides of a corner of four. */
async function window(input: Order["input"], signal: AbortSignal): Promise<number[]> {
  const file = await open(input, { signal });
  const sel = (start: number): { start: number; stop: number; step: number } => ({ start, stop: start + 4, step: 1 });
  const { data } = await (await file.dataset("chunked")).get([sel(254), sel(510)], { signal });
  return Array.from(data as Uint8Array);
}

/** How often progress was reported of a large dataset, and the bytes at last. */
async function whole(input: Order["input"], signal: AbortSignal): Promise<{ reports: number; loaded: number }> {
  const seen = { reports: 0, loaded: 0 };
  const dataset = await (await open(input, { signal })).dataset("large");
  await dataset.get(null, {
    signal,
    onProgress({ loaded }) {
      seen.reports++;
      seen.loaded = loaded;
    },
  });
  return seen;
}
