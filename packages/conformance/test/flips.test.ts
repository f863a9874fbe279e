import { createHash } from "node:crypto";
import { toJson } from "@h5/cli";
import { isH5Error } from "@h5/framing";
import { open } from "@h5/reader";
import { fixtureBytes, patched } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { compareDocuments } from "../src/compare.ts";
import type { Difference } from "../src/difference.ts";
import type { Document } from "../src/document.ts";

/** Where a typed error of ours may stand for what libhdf5 1.10 reads: the structure that is checked, and what it does not check. */
const WE_CHECK: Readonly<Record<string, string>> = {
  "version 1 B-tree node": "order of keys, multiples of the chunk's shape, siblings beyond 2^53",
  "symbol table entry": "object headers beyond 2^53",
  "global heap collection": "a collection longer than the file",
  "global heap object": "a string longer than its heap object",
  "dataspace message": "sizes beyond 2^53 and above the maximum; permutation indices, which nothing ever wrote",
  "datatype message": "bits outside of the element",
  "fill value message": "fields that are neither 0 nor 1, or no allocation time",
  "attribute message": "parts that are longer than the message",
  "contiguous data": "the stored size of variable-length elements, which libhdf5 computes itself",
};

/** Where libhdf5 1.10 refuses what we read, by what it says. */
const LIBHDF5_CHECKS: Readonly<Record<string, string>> = {
  "truncated file": "the end of file address; ours opens, and reads past the end are errors",
  "addr overflow": "whole B-tree nodes by the superblock's K; ours reads the entries there are",
  "unable to offset into local heap data block": "keys between a group's tree nodes, which a listing does not need",
  "message of unshareable class flagged as shareable": "whether a message might be shared, which it is not",
  "died or hung": "nothing: these crash it",
};

type Flip = readonly [fixture: string, at: number, mask: number, result: number];

interface Flips {
  /** Hashes of the fixtures at the time. */
  readonly sha256: Readonly<Record<string, string>>;
  readonly results: readonly Document[];
  readonly flips: readonly Flip[];
}

const { sha256, results, flips }: Flips = JSON.parse(new TextDecoder().decode(fixtureBytes("reader/flips.json")));

async function read(fixture: string, at: number, mask: number): Promise<Document> {
  const bytes = fixtureBytes(`reader/${fixture}.h5`);
  try {
    return JSON.parse(JSON.stringify(await toJson(await open(patched(bytes, at, [bytes[at]! ^ mask])))));
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

/** What libhdf5 says of everything it could not read. */
function refusalsOf(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === "crash" || value === "timeout" || String(value).startsWith("crash")) return ["died or hung"];
    return /error$/.test(key) && typeof value === "string" ? [value] : refusalsOf(value);
  });
}

const hasErrors = (document: Document): boolean => /"(attrs_)?error":\{"code"/.test(JSON.stringify(document));

/** What we and libhdf5 make of a file with one byte changed. */
interface Reading {
  readonly flip: string;
  readonly silent: readonly Difference[];
  readonly refused: readonly Difference[];
  /** Where libhdf5 refused something and we refused nothing, what it said. */
  readonly readRegardless: readonly string[];
}

async function readFlip([fixture, at, mask, result]: Flip): Promise<Reading> {
  const theirs = results[result]!;
  const ours = await read(fixture, at, mask);
  const differences = compareDocuments(theirs, ours);
  const refusals = refusalsOf(theirs);
  const more = (difference: Difference): boolean => / that libhdf5 does not list$/.test(difference.what);
  const silent = differences.filter(({ error }) => error === undefined);
  const explained = refusals.length > 0 ? silent.filter(more) : [];
  return {
    flip: `${fixture} byte ${at} ^ ${mask}`,
    silent: silent.filter((difference) => !explained.includes(difference)),
    refused: differences.filter(({ error }) => error !== undefined),
    readRegardless: explained.length > 0 || !hasErrors(ours) ? refusals : [],
  };
}

/** Those of `messages` that none of the reasons explains, and the reasons that explain some. */
function explain(messages: readonly string[], reasons: Readonly<Record<string, string>>): [string[], string[]] {
  const names = Object.keys(reasons);
  const of = (message: string): string | undefined => names.find((name) => message.includes(name));
  const used = new Set(messages.map(of));
  return [messages.filter((message) => of(message) === undefined), names.filter((name) => used.has(name))];
}

describe("a changed byte outside of every checksum", async () => {
  const readings: Reading[] = [];
  for (const flip of flips) readings.push(await readFlip(flip));

  it("is tried 200 times, in the fixtures as they are", () => {
    expect(readings.length).toBe(200);
    const hash = (name: string): string =>
      createHash("sha256")
        .update(fixtureBytes(`reader/${name}.h5`))
        .digest("hex");
    const names = [...new Set(flips.map(([fixture]) => fixture))];
    expect(Object.fromEntries(names.map((name) => [name, hash(name)]))).toEqual(sha256);
  });

  it("never gives other values than libhdf5 reads", () => {
    expect(readings.filter(({ silent }) => silent.length > 0)).toEqual([]);
  });

  it("is refused where libhdf5 reads on only for what libhdf5 does not check", () => {
    const messages = readings.flatMap(({ flip, refused }) => refused.map(({ error }) => `${flip}: ${error}`));
    expect(explain(messages, WE_CHECK)).toEqual([[], Object.keys(WE_CHECK)]);
  });

  it("is read where libhdf5 refuses only for what cannot change a value", () => {
    const messages = readings.flatMap(({ flip, readRegardless }) => readRegardless.map((said) => `${flip}: ${said}`));
    expect(explain(messages, LIBHDF5_CHECKS)).toEqual([[], Object.keys(LIBHDF5_CHECKS)]);
  });
});
