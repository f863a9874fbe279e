import { InvalidArgumentError } from "@h5/framing";
import { type Selection, slice, UNLIMITED } from "@h5/selection";
import { libhdf5 } from "@h5/testing/libhdf5";
import { describe, expect, it } from "vitest";
import {
  createFile,
  type FileBuilder,
  type VirtualDatasetOptions,
  type VirtualSource,
  virtualDataset,
} from "../../src/index.ts";

async function read(file: FileBuilder, ...paths: string[]) {
  const built = await libhdf5(await file.encode());
  return built.open("r", (opened) =>
    paths.map((path) => {
      const dataset = opened.get(path) as { shape: number[]; value: unknown };
      return { shape: dataset.shape, value: dataset.value };
    }),
  );
}

/** Three parts of 2 × 3, and a dataset that grows. */
function withParts() {
  const file = createFile();
  for (let i = 0; i < 3; i++) {
    file.dataset(
      `part${i}`,
      Int32Array.from({ length: 6 }, (_, k) => 10 * i + k),
      { shape: [2, 3] },
    );
  }
  file.dataset("grown", Int32Array.of(0, 1, 2, 3, 4, 5), { shape: [3, 2], maxShape: [Infinity, 2], chunks: [2, 2] });
  return file;
}

/** Blocks of two rows without end. */
const blocks: Selection = {
  type: "hyperslab",
  form: "regular",
  start: [0, 0],
  stride: [2, 1],
  count: [UNLIMITED, 1],
  block: [2, 3],
};

describe("virtualDataset", () => {
  it("stacks datasets along a new axis", async () => {
    const file = withParts();
    const sources = [0, 1, 2].map((i) => ({ file: ".", dataset: `part${i}`, target: [i, null, null] }));
    virtualDataset(file, "stack", sources, { shape: [4, 2, 3], dtype: "int32", fillValue: -1, attrs: { n: 3 } });
    const value = Int32Array.from(
      [0, 1, 2].flatMap((i) => [0, 1, 2, 3, 4, 5].map((k) => 10 * i + k)).concat(Array(6).fill(-1)),
    );
    expect(await read(file, "/stack")).toEqual([{ shape: [4, 2, 3], value }]);
  });

  it("maps slices, and converts to its own type", async () => {
    const file = withParts();
    const source: VirtualSource = {
      file: ".",
      dataset: "/part1",
      source: [slice(1, 2), slice(0, null, 2)],
      target: [slice(-2, null)],
    };
    virtualDataset(file, "v", [source], { shape: [3], dtype: "float64", fillValue: 0.5 });
    expect(await read(file, "/v")).toEqual([{ shape: [3], value: Float64Array.of(0.5, 13, 15) }]);
  });

  it("follows an unlimited source", async () => {
    const file = withParts();
    const unlimited = [slice(0, Infinity), null];
    const options: VirtualDatasetOptions = { shape: [0, 2], maxShape: [Infinity, 2], dtype: "int32" };
    virtualDataset(file, "whole", [{ file: ".", dataset: "grown", source: unlimited, target: unlimited }], options);
    const columns = [0, 1].map((i) => ({
      file: ".",
      dataset: "grown",
      source: [slice(0, Infinity), i],
      target: [slice(i, Infinity, 2)],
    }));
    virtualDataset(file, "woven", columns, { shape: [0], maxShape: [Infinity], dtype: "int32" });
    const value = Int32Array.of(0, 1, 2, 3, 4, 5);
    expect(await read(file, "/whole", "/woven")).toEqual([
      { shape: [3, 2], value },
      { shape: [6], value },
    ]);
  });

  it("counts blocks in names", async () => {
    const file = withParts();
    const options: VirtualDatasetOptions = { shape: [0, 3], maxShape: [Infinity, 3], dtype: "int32" };
    virtualDataset(file, "v", [{ file: ".", dataset: "part%b", sourceShape: [2, 3], target: blocks }], options);
    const [found] = await read(file, "/v");
    expect(found!.shape).toEqual([6, 3]);
    expect([...(found!.value as Int32Array)].slice(10)).toEqual([14, 15, 20, 21, 22, 23, 24, 25]);
  });

  it("takes scalars, strings, many blocks, and no sources at all", async () => {
    const file = createFile();
    file.dataset("one", 7);
    file.dataset("text", ["a", "bb"]);
    file.dataset(
      "many",
      Int16Array.from({ length: 500 }, (_, i) => i),
    );
    virtualDataset(file, "v/one", [{ file: ".", dataset: "one" }], { shape: [], dtype: "float64" });
    virtualDataset(file, "v/text", [{ file: ".", dataset: "text" }], {
      shape: [2],
      dtype: "string",
      fillValue: "none",
    });
    virtualDataset(file, "v/many", [{ file: ".", dataset: "many", target: [slice(0, null, 2)] }], {
      shape: [1000],
      dtype: "<i2",
    });
    virtualDataset(file, "v/none", [], { shape: [2], dtype: "int8", fillValue: 4 });
    const [one, text, many, none] = await read(file, "/v/one", "/v/text", "/v/many", "/v/none");
    expect([one!.value, text!.value, none!.value]).toEqual([7, ["a", "bb"], Int8Array.of(4, 4)]);
    expect([...(many!.value as Int16Array)].slice(-4)).toEqual([498, 0, 499, 0]);
  });
});

describe("virtualDataset refuses", () => {
  const part = { file: ".", dataset: "part0" };
  const unlimited = [slice(0, Infinity), null];
  it.each<[VirtualSource | VirtualSource[], string]>([
    [part, "source 0: 6 elements of the source for 12 of the target"],
    [{ ...part, target: [slice(0, 2), slice(0, 2)] }, "6 elements of the source for 4 of the target"],
    [[{ ...part, target: [slice(2), null] }, part], "source 1: 6 elements"],
    [{ ...part, source: [1], target: [0, 0] }, "source: expected a selection of 2 members, got 1"],
    [{ ...part, source: [null, 3], target: [0, 0] }, "source: index 3 is outside dimension 1 of size 3"],
    [
      { file: "a.h5", dataset: "x", source: [1], target: [0, 0] },
      "source: slices of a dataset whose shape is not known",
    ],
    [{ ...part, target: { type: "points", points: [[0, 0]] } }, "target: a list of points"],
    [{ ...part, source: { type: "points", points: [[0, 0]] } }, "source: a list of points"],
    [
      { ...part, target: { type: "hyperslab", form: "blocks", blocks: [{ start: [3, 0], end: [4, 2] }] } },
      "target: selection: element 4 is outside dimension 0 of size 4",
    ],
    [{ ...part, source: unlimited }, "an unlimited source of a limited target"],
    [{ ...part, target: unlimited }, "a limited source of an unlimited target needs %b in a name"],
    [
      { ...part, source: [slice(0, Infinity), 0], target: unlimited },
      "1 elements of the source for 3 of the target, across",
    ],
    [
      { ...part, file: "a%b.h5", sourceShape: [2, 3], source: unlimited, target: unlimited },
      "%b in a name needs a limited source",
    ],
    [{ ...part, dataset: "a%b", target: [slice(2), null] }, "%b in a name counts blocks of an unlimited target"],
    [{ file: "a%b", dataset: "x", sourceShape: [5], target: blocks }, "5 elements of the source for 6 of a block"],
    [
      { file: "a%b", dataset: "x", sourceShape: [6], target: { ...blocks, count: [1, 1], block: [UNLIMITED, 3] } },
      "6 elements of the source for Infinity of a block",
    ],
    [{ file: "100%.h5", dataset: "x", target: blocks }, '"100%.h5": after % comes b'],
    [{ file: "", dataset: "x" }, "an empty file name"],
    [{ file: ".", dataset: "a\0" }, "a path with NUL"],
  ])("%j", (sources, message) => {
    const file = withParts();
    const options: VirtualDatasetOptions = { shape: [4, 3], maxShape: [Infinity, 3], dtype: "int32" };
    const add = () => virtualDataset(file, "g/v", Array.isArray(sources) ? sources : [sources], options);
    expect(add).toThrow(InvalidArgumentError);
    expect(add).toThrow(`/g/v: `);
    expect(add).toThrow(message);
  });

  it("all of them in files of old structures", () => {
    const file = createFile({ compatibility: "earliest" });
    const add = () => virtualDataset(file, "v", [], { shape: [1], dtype: "int8" });
    expect(add).toThrow('/v: a virtual dataset, which compatibility "earliest" cannot hold');
  });

  it("a name twice, a shape above its maximum, and no type", () => {
    const file = withParts();
    expect(() => virtualDataset(file, "part0", [], { shape: [1], dtype: "int8" })).toThrow("something of this name");
    expect(() => virtualDataset(file, "v", [], { shape: [2], maxShape: [1], dtype: "int8" })).toThrow("maxShape [1]");
    expect(() => virtualDataset(file, "v", [], { shape: [2] } as unknown as VirtualDatasetOptions)).toThrow("dtype");
  });
});
