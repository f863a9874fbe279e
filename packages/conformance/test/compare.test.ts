import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { casesOf, FIXTURES } from "../src/cases.ts";
import { compareDocuments } from "../src/compare.ts";
import { compareData } from "../src/compare-data.ts";
import type { Difference } from "../src/difference.ts";
import type { Document, Json, ObjectNode } from "../src/document.ts";

const integer = { class: "integer", size: 4, signed: true, order: "LE" };
const unsupported = { code: "UNSUPPORTED_FEATURE", message: "dense links" };

function dataset(data: Json, more: object = {}): ObjectNode {
  const shape = [3];
  return { kind: "dataset", attrs: {}, shape, maxshape: shape, dtype: integer, layout: "compact", data, ...more };
}

function file(objects: Record<string, ObjectNode>): Document {
  return { userblock: 0, superblock: 0, objects };
}

function whats(expected: Document, actual: Document): string[] {
  return compareDocuments(expected, actual).map((one: Difference) => `${one.path} ${one.what} [${one.error ?? ""}]`);
}

describe("compareDocuments", () => {
  it.each(casesOf(FIXTURES))("finds $name's document the same as itself", ({ expected }) => {
    const document = JSON.parse(readFileSync(expected, "utf8")) as Document;
    expect(compareDocuments(document, structuredClone(document))).toEqual([]);
  });

  it("finds a different value, type, kind and a missing object", () => {
    const expected = file({ "/": dataset([1, 2, 3]) });
    expect(whats(expected, file({ "/": dataset([1, 2, 4]) }))).toEqual(["/ data[2] []"]);
    expect(whats(expected, file({ "/": dataset([1, 2, 3], { dtype: { ...integer, size: 8 } }) }))).toEqual([
      "/ dtype.size []",
    ]);
    expect(whats(expected, file({ "/": dataset([1, 2, 3], { layout: "chunked" }) }))).toEqual(["/ layout []"]);
    expect(whats(expected, file({ "/": { kind: "group" } }))).toEqual(["/ kind []"]);
    expect(whats(expected, file({}))).toEqual(["/ object missing []"]);
    expect(whats(file({}), expected)).toEqual(["/ object that libhdf5 does not list []"]);
  });

  it("finds names that every object has only where they are there", () => {
    const named = (name: string): Document => file({ "/": { kind: "group", attrs: Object.fromEntries([[name, {}]]) } });
    expect(whats(named("constructor"), file({ "/": { kind: "group", attrs: {} } }))).toEqual([
      "/@constructor attribute missing []",
    ]);
    expect(whats(named("__proto__"), JSON.parse(JSON.stringify(named("__proto__"))))).toEqual([]);
  });

  it("explains by a typed error what is missing below it", () => {
    const expected = file({
      "/": { kind: "group", links: { a: { type: "hard" } } },
      "/a": dataset([1]),
      "/a/b": dataset([1]),
    });
    const actual = file({ "/": { kind: "group", error: unsupported } });
    const reason = "[UNSUPPORTED_FEATURE: dense links]";
    expect(whats(expected, actual)).toEqual([
      `/ link a link missing ${reason}`,
      `/a object missing ${reason}`,
      `/a/b object missing ${reason}`,
    ]);
    const partial = { kind: "dataset", attrs: {}, shape: [3], maxshape: [3], layout: "compact", error: unsupported };
    expect(whats(file({ "/": dataset([1, 2, 3]) }), file({ "/": partial }))).toEqual([
      `/ dtype ${reason}`,
      `/ error where libhdf5 reads ${reason}`,
    ]);
  });

  it("lets us list what libhdf5 does not come to", () => {
    const actual = file({ "/": { kind: "group" }, "/a": { kind: "group" }, "/a/b": dataset([1]) });
    const expected = file({ "/": { kind: "group" }, "/a": { kind: "group", links_error: "bad" } });
    expect(whats(expected, actual)).toEqual([]);
    expect(whats(file({ "/": { kind: "group" } }), actual)).toEqual([
      "/a object that libhdf5 does not list []",
      "/a/b object that libhdf5 does not list []",
    ]);
  });

  it("takes no untyped error, not even of a file that libhdf5 refuses", () => {
    const refused: Document = { open_error: "bad" };
    expect(whats(refused, { error: { code: "INVALID_FIELD", message: "bad" } })).toEqual([]);
    expect(whats(refused, { error: { code: "TypeError", message: "bad" } })).toEqual([" untyped error []"]);
    expect(whats(file({}), { error: unsupported })).toEqual([" does not open [UNSUPPORTED_FEATURE: dense links]"]);
  });
});

describe("compareData", () => {
  it("compares a list and a short form by what both say", () => {
    // printf '\1\0\0\0\2\0\0\0\3\0\0\0' | sha256sum
    const sha256 = "4636993d3e1da4e9d6b8f87b79e8f7c6d018580d52661950eabc3845c5897a4d";
    expect(compareData({ n: 3, sha256, head: [1, 2] }, [1, 2, 3], integer)).toBeUndefined();
    expect(compareData([1, 2, 3], { n: 3, sha256 }, integer)).toBeUndefined();
    expect(compareData({ n: 3, sha256 }, [1, 2, 4], integer)).toMatchObject({ at: ".sha256" });
    expect(compareData({ n: 3, head: ["a"], tail: ["c"] }, ["a", "b", "d"], undefined)).toMatchObject({
      at: ".tail[0]",
    });
    expect(compareData({ n: 3, head: ["a"] }, { n: 4, head: ["a"] }, undefined)).toMatchObject({ at: ".n" });
    expect(compareData({ n: 3, sha256 }, { n: 3, head: [1] }, integer)).toMatchObject({ at: " (nothing to compare)" });
  });

  it("compares references by path, and a compound with a member called ref as a compound", () => {
    expect(compareData([{ ref: "/a" }], [{ ref: "/b" }], undefined)).toMatchObject({ at: "[0].ref" });
    expect(compareData([{ ref: null, dangling: true }], [{ ref: "/b" }], undefined)).toBeUndefined();
    expect(compareData([{ ref: null, x: 1 }], [{ ref: null, x: 2 }], undefined)).toMatchObject({ at: "[0].x" });
  });

  it("forgives the sign of zero and the spelling of bad bytes", () => {
    expect(compareData([0, "a\ufffd"], [-0, "a\udcff\udcfe"], undefined)).toBeUndefined();
  });
});
