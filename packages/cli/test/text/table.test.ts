import { describe, expect, it } from "vitest";
import { alignColumns } from "../../src/text/table.ts";

describe("alignColumns", () => {
  it("pads columns to their widest cell, the last one of a row not", () => {
    expect(
      alignColumns([
        ["a", "group"],
        ["name", "dataset", "(3)"],
      ]),
    ).toEqual(["a     group", "name  dataset  (3)"]);
  });

  it("goes by the width on a terminal: wide characters count two, colours none", () => {
    const ESC = String.fromCharCode(27);
    expect(
      alignColumns([
        ["長い", "x"],
        ["abcd", "y"],
        [`${ESC}[1mab${ESC}[22m`, "z"],
      ]),
    ).toEqual(["長い  x", "abcd  y", `${ESC}[1mab${ESC}[22m    z`]);
  });

  it("of nothing is nothing", () => {
    expect(alignColumns([])).toEqual([]);
  });
});
