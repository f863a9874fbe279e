import { open } from "@h5/reader";
import { createFile, deflate, shuffle } from "@h5/writer";

/** Reads a file, writes what it read to a new one, and reads that: what is in the new one. */
export async function smoke(input) {
  const file = await open(input);
  const temperature = await file.dataset("temperature");
  const made = createFile();
  made.attribute("title", await file.attrs.get("title"));
  made.dataset("temperature", (await temperature.get()).data, {
    shape: temperature.shape,
    chunks: [12, 2],
    filters: [shuffle(), deflate()],
  });
  made.dataset("names", (await (await file.dataset("stations/name")).get()).data);
  const copy = await open(await made.encode());
  return {
    title: await copy.attrs.get("title"),
    temperature: Array.from((await (await copy.dataset("temperature")).get()).data),
    names: (await (await copy.dataset("names")).get()).data,
  };
}
