import { open } from "@h5/reader";
import { countingSource } from "@h5/testing";
import { createFile } from "@h5/writer";
import { expect, it } from "vitest";

const GROUPS = 10_000;

/** Groups with a dataset each, and three attributes of that. */
async function manyGroups(): Promise<Uint8Array> {
  const file = createFile();
  for (let i = 0; i < GROUPS; i++) {
    const values = Float64Array.from({ length: 8 }, (_, k) => i + k);
    const attrs = { n: i, scale: i * 0.5, unit: `unit${i % 97}` };
    file.dataset(`g${String(i).padStart(5, "0")}/d`, values, { attrs });
  }
  return await file.encode();
}

it("all metadata of 10,000 groups comes by few requests, and no byte twice", async () => {
  const source = countingSource(await manyGroups());
  let seen = 0;
  for await (const { path, object } of (await open(source)).visit()) {
    if (object?.kind !== "dataset") continue;
    const expected = { n: seen, scale: seen * 0.5, unit: `unit${seen % 97}` };
    const attributes = await object.attrs.toObject();
    if (JSON.stringify(attributes) !== JSON.stringify(expected)) expect([path, attributes]).toEqual([path, expected]);
    seen++;
  }
  expect(seen).toBe(GROUPS);
  expect(source.requests).toBeLessThanOrEqual(40);
  expect(source.bytesRead).toBeLessThanOrEqual(1.05 * source.byteLength);
}, 120_000);

it("a walk has read of a group of very many only what it has come to, and gives all in the order of their names", async () => {
  const file = createFile();
  const names = Array.from({ length: 5000 }, (_, i) => `d${String(4999 - i).padStart(4, "0")}`);
  for (const [i, name] of names.entries()) file.dataset(name, i);
  const source = countingSource(await file.encode());
  const opened = await open(source, { filters: [], cache: { blockSize: 512 } });
  await opened.keys();
  const { bytesRead } = source;
  const seen: string[] = [];
  for await (const { link, object } of opened.visit()) {
    if (seen.length === 0) expect(source.bytesRead - bytesRead).toBeLessThan((source.byteLength - bytesRead) / 2);
    expect(object?.kind).toBe("dataset");
    seen.push(link.name);
  }
  expect(seen).toEqual(names.sort());
});
