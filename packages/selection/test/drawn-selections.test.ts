import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  decodeSelection,
  encodeSelection,
  forEachSelectedRun,
  projectSelection,
  type Selection,
  selectedCoordinates,
  selectionCount,
} from "../src/index.ts";
import { bytesOf, hexOf } from "./hex.ts";
import { offsetIn } from "./model.ts";

interface Regular {
  start: number[];
  count: (number | null)[];
  stride: number[];
  block: (number | null)[];
}

interface Drawn {
  kind: "hyperslab" | "points" | "unlimited" | "large";
  shape: number[];
  hex: string;
  /** What was asked of libhdf5, where that was a single call. */
  made?: Regular | { points: number[][] };
  count?: number;
  /** Row-major offsets as libhdf5 visits them. */
  order?: number[];
}

const { selections }: { selections: Drawn[] } = JSON.parse(
  readFileSync(new URL("drawn-selections.json", import.meta.url), "utf8"),
);
const titled = selections.map((drawn, index): [string, Drawn] => [
  `${drawn.kind} ${index} of rank ${drawn.shape.length}`,
  drawn,
]);

function byHand(made: Regular | { points: number[][] }): Selection {
  if ("points" in made) return { type: "points", points: made.points };
  const endless = (list: (number | null)[]): number[] => list.map((x) => x ?? Number.POSITIVE_INFINITY);
  return { type: "hyperslab", form: "regular", ...made, count: endless(made.count), block: endless(made.block) };
}

describe("selections drawn at random", () => {
  it.each(titled)("decode and encode as libhdf5 does: %s", (_, { hex, made }) => {
    const { selection, byteLength } = decodeSelection(bytesOf(hex));
    expect(byteLength).toBe(hex.length / 2);
    expect(hexOf(encodeSelection(structuredClone(selection)))).toBe(hex);
    if (made) expect(hexOf(encodeSelection(byHand(made)))).toBe(hex);
  });

  it.each(titled.filter(([, { count }]) => count !== undefined))("count: %s", (_, { hex, shape, count }) => {
    expect(selectionCount(decodeSelection(bytesOf(hex)).selection, shape)).toBe(count);
  });

  it.each(titled.filter(([, { order }]) => order))("visit in libhdf5's order: %s", (_, { hex, shape, order }) => {
    const { selection } = decodeSelection(bytesOf(hex));
    expect(Array.from(selectedCoordinates(selection, shape), (at) => offsetIn(shape, at))).toEqual(order);
    const visited: number[] = [];
    forEachSelectedRun(selection, shape, (from, to, length) => {
      for (let i = 0; i < length; i++) visited[to + i] = from + i;
    });
    expect(visited).toEqual(order);
  });

  it.each(titled.filter(([, { order }]) => order))("fall into chunks once: %s", (_, { hex, shape, order }) => {
    const chunkShape = shape.map((size) => Math.ceil(size / 2));
    let elements = 0;
    for (const { forEachRun } of projectSelection(decodeSelection(bytesOf(hex)).selection, shape, chunkShape)) {
      forEachRun((_from, _to, length) => {
        elements += length;
      });
    }
    expect(elements).toBe(order!.length);
  });
});
