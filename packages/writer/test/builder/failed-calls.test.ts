import { expect, it } from "vitest";
import { createFile, deflate, type FileBuilder, objectReference } from "../../src/index.ts";

function base(): FileBuilder {
  const file = createFile();
  file.dataset("texts", ["one", "two"], { attrs: { unit: "K" } });
  file.dataset("grid", [[1, 2]], { maxShape: [Infinity, 2], chunks: [2, 2], filters: [deflate()] });
  file.group("group", { attrs: { a: 1 } });
  return file;
}

const grid = (file: FileBuilder) => file.dataset("g", new Int8Array(4), { chunks: [2], maxShape: [Infinity] });

it.each<[string, (file: FileBuilder) => unknown]>([
  ["a dataset with a bad value after good ones", (f) => f.dataset("a/b/c", ["new text", 5])],
  ["references before a bad one", (f) => f.dataset("a", [objectReference("/nowhere"), "x"], { dtype: "reference" })],
  ["a dataset with a bad attribute", (f) => f.dataset("a/b", ["t"], { attrs: { good: "text", bad: undefined } })],
  [
    "a group with a bad attribute",
    (f) => f.group("a/b", { attrs: { good: objectReference("/nowhere"), bad: () => 1 } }),
  ],
  [
    "a named datatype with a bad attribute",
    (f) =>
      f.namedDatatype("t", "int8", {
        attrs: [
          ["x", "y"],
          ["x", "y"],
        ],
      }),
  ],
  ["a path through a dataset", (f) => f.dataset("texts/new/deep", ["text"])],
  ["a path that is taken", (f) => f.dataset("texts", ["another text"])],
  ["a soft link to nothing", (f) => f.softLink("new/deep", "")],
  ["a hard link to nothing", (f) => f.hardLink("new/deep", "/nowhere")],
  ["a bad attribute", (f) => f.attribute("x", ["good", 5])],
  ["options that contradict", (f) => f.dataset("new/deep", ["text"], { chunks: [1], layout: "compact" })],
  ["a bad fill value", (f) => f.dataset("new/deep", ["text"], { fillValue: 5 })],
])("%s leaves nothing behind", async (_, call) => {
  const file = base();
  expect(() => call(file)).toThrow();
  expect(await file.encode()).toEqual(await base().encode());
});

it.each<[string, (dataset: ReturnType<typeof grid>) => unknown]>([
  ["a bad value", (d) => d.append([1, 300])],
  ["a block of another shape", (d) => d.append([[1]])],
  ["a write outside", (d) => d.write([3], [1, 2])],
  ["a chunk of another size", (d) => d.writeChunk([0], [1])],
  ["a raw chunk outside", (d) => d.writeRawChunk([9], new Uint8Array(2))],
  ["a bad shape", (d) => d.resize([-1])],
])("%s leaves a dataset as it was", async (_, call) => {
  const file = createFile();
  const dataset = grid(file);
  expect(() => call(dataset)).toThrow();
  const same = createFile();
  grid(same);
  expect(dataset.shape).toEqual([4]);
  expect(await file.encode()).toEqual(await same.encode());
});

it("the caller's arrays are copied, unless copy is false", async () => {
  const bytesOf = async (copy: boolean, change: boolean) => {
    const data = Int16Array.of(1, 2, 3);
    const block = Int16Array.of(4, 5);
    const chunk = new Uint8Array(4).fill(9);
    const attribute = [1, 2];
    const file = createFile();
    file.dataset("contiguous", data, { copy, attrs: { attribute } });
    file
      .dataset("chunked", data, { copy, chunks: [2], maxShape: [Infinity] })
      .append(block, { copy })
      .writeRawChunk([1], chunk);
    if (change) for (const array of [data, block, chunk, attribute]) array.fill(0);
    return file.encode();
  };
  expect(await bytesOf(true, true)).toEqual(await bytesOf(true, false));
  expect(await bytesOf(false, false)).toEqual(await bytesOf(true, false));
  expect(await bytesOf(false, true)).not.toEqual(await bytesOf(true, false));
});

it("options are copied", async () => {
  const bytesOf = async (change: boolean) => {
    const [maxShape, chunks, shape, filters] = [[Infinity, 2], [1, 2], [2, 2], [deflate()]];
    const file = createFile();
    const dataset = file.dataset("a", [1, 2, 3, 4], { shape, maxShape, chunks, filters });
    if (change) for (const list of [maxShape, chunks, shape]) list.fill(7);
    if (change) filters.pop();
    expect(dataset.shape).toEqual([2, 2]);
    return file.encode();
  };
  expect(await bytesOf(true)).toEqual(await bytesOf(false));
});

it("a shape without data is copied, and so are those like it", async () => {
  const bytesOf = async (change: boolean) => {
    const shape = [3];
    const file = createFile();
    const first = file.dataset("a", undefined, { dtype: "int8", shape });
    file.dataset("b", Int8Array.of(1, 2, 3));
    if (change) shape[0] = 7;
    expect(first.shape).toEqual([3]);
    return file.encode();
  };
  expect(await bytesOf(true)).toEqual(await bytesOf(false));
});

it("the same model gives the same bytes, each time", async () => {
  const file = base();
  const first = await file.encode();
  expect(await file.encode()).toEqual(first);
  expect(await base().encode()).toEqual(first);
});
