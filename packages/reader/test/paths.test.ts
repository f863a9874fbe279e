import { describe, expect, it } from "vitest";
import { joinPath, pathComponents, resolvePath } from "../src/paths.ts";

describe("pathComponents", () => {
  it.each([
    ["/", []],
    ["", []],
    ["a/b", ["a", "b"]],
    ["/a//b/", ["a", "b"]],
    ["./a/./b/.", ["a", "b"]],
    ["a/../b", ["b"]],
    ["../../a", ["a"]],
    ["a/b/../..", []],
    ["a/.../..b/c..", ["a", "...", "..b", "c.."]],
  ])("folds %j", (path, components) => {
    expect(pathComponents(path)).toEqual(components);
  });
});

describe("resolvePath", () => {
  it("goes on from the base, or from the root", () => {
    expect(resolvePath(["a", "b"], "c")).toEqual(["a", "b", "c"]);
    expect(resolvePath(["a", "b"], "../c")).toEqual(["a", "c"]);
    expect(resolvePath(["a", "b"], "/c")).toEqual(["c"]);
  });
});

describe("joinPath", () => {
  it("gives an absolute path", () => {
    expect(joinPath([])).toBe("/");
    expect(joinPath(["a", "b"])).toBe("/a/b");
  });
});
