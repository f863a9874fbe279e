/** What the page does in the browser: opens a file by URL on the main thread and reads it. */
import { open } from "@h5/reader";

/** What was read, in JSON's types. */
export interface Reading {
  readonly names: readonly string[];
  readonly title: unknown;
  readonly temperature: readonly number[];
  readonly shape: readonly number[];
  readonly time: readonly number[];
  readonly stations: readonly string[];
}

async function read(url: string): Promise<Reading> {
  const file = await open(url);
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

Object.assign(globalThis, { read });
