import { describe, expect, it } from "vitest";
import { candidateNames } from "../src/index.ts";
import { encodeParts, folderOf, foldName, isAbsolute } from "../src/location.ts";

describe("candidateNames", () => {
  it.each([
    ["other.h5", ["data/", ""], ["data/other.h5", "other.h5"]],
    ["parts/other.h5", ["data/", ""], ["data/parts/other.h5", "parts/other.h5", "data/other.h5", "other.h5"]],
    ["../other.h5", ["data/run/"], ["data/other.h5", "data/run/other.h5"]],
    ["../other.h5", ["/"], ["/../other.h5", "/other.h5"]],
    ["/scratch/run/other.h5", ["data/", ""], ["data/other.h5", "other.h5"]],
    ["C:\\run\\other.h5", ["data/"], ["data/other.h5"]],
    ["parts\\other.h5", ["data/"], ["data/parts/other.h5", "data/other.h5"]],
    ["run:1.h5", ["data/"], ["data/run:1.h5"]],
    ["b.h5", ["https://example.org/a/"], ["https://example.org/a/b.h5"]],
    ["https://example.org/c/b.h5?v=/2", ["/data/"], ["/data/b.h5"]],
    ["file:///etc/passwd", ["/data/"], ["/data/passwd"]],
    ["/etc/..", ["/data/"], []],
    ["parts/", ["/data/"], ["/data/parts"]],
  ])("%s in %j", (name, folders, names) => {
    expect(candidateNames(name, folders)).toEqual(names);
  });

  it("encodes the parts of a name, and not the folder", () => {
    expect(candidateNames("a b/%2e", ["https://example.org/a%20b/"], encodeURIComponent)).toEqual([
      "https://example.org/a%20b/a%20b/%252e",
      "https://example.org/a%20b/%252e",
    ]);
  });
});

describe("foldName", () => {
  it.each([
    ["a/./b//c", "a/b/c"],
    ["a/../b", "b"],
    ["../a", "../a"],
    ["a/../../b", "../b"],
    ["../../a", "../../a"],
    ["/../a", "/../a"],
    ["/a/../..", "/.."],
    ["C:/a/../b", "C:/b"],
    ["https://example.org/a/../b", "https://example.org/b"],
    ["https://example.org/a/../../b", "https://example.org/../b"],
    ["", ""],
  ])("%j is %j", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });
});

it("knows what is absolute", () => {
  const absolute = ["/a", "\\a", "\\\\host\\a", "C:\\a", "c:/a", "file:a", "https://a/b", "s3:\\\\a"];
  const relative = ["a", "../a", "run:1.h5", "a:b.h5", "./C:/a", "%2fa"];
  expect([absolute, relative].map((names) => names.map(isAbsolute))).toEqual([
    absolute.map(() => true),
    relative.map(() => false),
  ]);
});

it("takes a URL's folder from its path alone", () => {
  expect(["a.h5", "a/b.h5", "/a.h5", "https://h/a/b.h5?c=/d/#/e", "run?/b.h5"].map(folderOf)).toEqual([
    "",
    "a/",
    "/",
    "https://h/a/",
    "run?/",
  ]);
});

it("parts names at both slashes", () => {
  expect(encodeParts("a b\\..\\c/d", encodeURIComponent)).toBe("a%20b/../c/d");
});
