import { describe, expect, it } from "vitest";
import { memberNames } from "../src/driver-member.ts";

describe("members of a family", () => {
  it.each([
    ["1", "run_00000.h5", [], ["run_00001.h5"]],
    ["12", "data/run-0.h5", [], ["run-12.h5"]],
    ["100000", "run00000.h5", [], ["run100000.h5"]],
    ["1", "2000-01-00000.h5", [], ["2000-01-00001.h5"]],
    ["1", "/a0/run000-x.h5", [], ["run001-x.h5"]],
    ["2", "run.h5", ["run.h5", "run_m00001.h5f", "run_m00002.h5f", "runner.h5"], ["run_m00002.h5f"]],
    ["2", "run.h5", ["run-2.h5", "run_2.h5"], []],
    ["1", "run.h5", [], []],
  ])("%s of %s among %j", (index, root, siblings, names) => {
    expect(memberNames(index, root, siblings)).toEqual(names);
  });
});

describe("members of a multi or split file", () => {
  it.each([
    ["%s-r.h5", "run-m.h5", ["run-r.h5", "run-m-r.h5", "run-m.h5-r.h5"]],
    ["%s.raw", "/data/run.meta", ["run.raw", "run.meta.raw"]],
    ["%s-$&.h5", "run.h5", ["run-$&.h5", "run.h5-$&.h5"]],
    ["raw.bin", "run.h5", ["raw.bin"]],
  ])("%s of %s", (template, root, names) => {
    expect(memberNames(template, root)).toEqual(names);
  });
});
