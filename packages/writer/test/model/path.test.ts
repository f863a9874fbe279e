import { describe, expect, it } from "vitest";
import { joinPath, namesOf } from "../../src/model/path.ts";

describe("namesOf", () => {
  it.each([
    ["/", []],
    ["a", ["a"]],
    ["/a/b", ["a", "b"]],
    ["a//b/./c/", ["a", "b", "c"]],
    ["a/../b", ["a", "..", "b"]],
    [".", []],
    ["...", ["..."]],
  ])("%j is %j", (path, names) => {
    expect(namesOf(path)).toEqual(names);
  });

  it.each(["", "a\0b", "a/\udc00"])("refuses %j", (path) => {
    expect(() => namesOf(path)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("joinPath", () => {
  it.each([
    ["/", "a", "/a"],
    ["/a", "b/c", "/a/b/c"],
    ["/a", "/b", "/b"],
    ["/a", ".", "/a"],
    ["/a", "/", "/"],
  ])("%j and %j are %j", (group, path, joined) => {
    expect(joinPath(group, path)).toBe(joined);
  });
});
