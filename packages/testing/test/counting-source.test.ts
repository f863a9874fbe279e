import { expect, it } from "vitest";
import { countingSource } from "../src/index.ts";

it("counts reads and the bytes they were answered", async () => {
  const source = countingSource(Uint8Array.of(1, 2, 3, 4));
  expect([...(await source.slice(1, 3))]).toEqual([2, 3]);
  await source.slice(3, 9);
  expect(source.reads).toEqual([
    { start: 1, end: 3 },
    { start: 3, end: 9 },
  ]);
  expect([source.requests, source.bytesRead]).toEqual([2, 3]);
  source.reset();
  expect(source.requests).toBe(0);
});
