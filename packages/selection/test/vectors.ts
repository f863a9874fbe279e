import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { expect } from "vitest";
import type { LowBound, Selection } from "../src/index.ts";

export interface Vector {
  name: string;
  hex: string;
  version: number;
  encodedSize: number | null;
  dims: number[];
  lows: LowBound[];
  count: number | null;
  decoded: Selection;
  order: number[][] | null;
}

export interface BadVector {
  name: string;
  hex: string;
  dims: number[];
}

interface Vectors {
  vectors: Vector[];
  invalid: BadVector[];
  lenient: BadVector[];
}

/** What libhdf5 1.14.5 wrote, read, and refused. */
export const { vectors, invalid, lenient }: Vectors = JSON.parse(
  readFileSync(new URL("vectors.json", import.meta.url), "utf8"),
  (key, value) => (key === "count" || key === "block" ? unlimited(value) : value),
);

function unlimited(value: unknown): unknown {
  return Array.isArray(value) ? value.map((x) => x ?? Number.POSITIVE_INFINITY) : value;
}

/** The error a call throws, which must be a typed one. */
export function errorOf(call: () => unknown): { code: string; message: string } {
  try {
    call();
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return error;
  }
  return expect.fail("nothing was thrown");
}
