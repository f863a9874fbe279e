import { describe, expect, it } from "vitest";
import type { ObjectModel } from "../../src/model/objects.ts";
import { Targets } from "../../src/model/placement.ts";

describe("Targets", () => {
  const object = {} as ObjectModel;

  it("numbers paths from 1 on, each once", () => {
    const targets = new Targets();
    expect(["/a", "/b", "/a"].map((path) => targets.numberOf(path))).toEqual([1, 2, 1]);
    expect(targets.resolve((path) => (path === "/a" ? object : ({} as ObjectModel)))[0]).toBe(object);
  });

  it("names the path that leads to nothing", () => {
    const targets = new Targets();
    targets.numberOf("/nope");
    expect(() => targets.resolve(() => undefined)).toThrow(expect.objectContaining({ path: "/nope" }));
  });

  it("has what is added later looked at", () => {
    const targets = new Targets();
    targets.numberOf("/a");
    targets.checkLater("/a", (found) => {
      if (found === object) throw new RangeError("not this one");
    });
    expect(() => targets.resolve(() => object)).toThrow("not this one");
    expect(targets.resolve(() => ({}) as ObjectModel)).toHaveLength(1);
  });

  it("takes back what was added", () => {
    const targets = new Targets();
    targets.numberOf("/a");
    const undo = targets.undo();
    targets.numberOf("/b");
    targets.checkLater("/b", () => {
      throw new RangeError("taken back");
    });
    undo();
    expect(targets.resolve(() => object)).toEqual([object]);
    expect(targets.numberOf("/c")).toBe(2);
  });
});
