import { describe, expect, it } from "vitest";
import { decodeLayout, encodeLayout, InvalidFieldError, type Layout, sizeOfLayout } from "../../src/index.ts";
import { hex } from "../hex.ts";
import { messageOf, openFixture } from "../open-fixture.ts";

const widths = { offsetSize: 8, lengthSize: 8 };

function layoutOf(file: string, path: string): Layout {
  const { context, object } = openFixture(file);
  const { body, address } = messageOf(object(path), "layout");
  return decodeLayout(body, context, address);
}

/** Decodes, clones, encodes and measures; gives the layout. */
function bothWays(text: string): Layout {
  const bytes = hex(text);
  const layout = decodeLayout(bytes, widths);
  expect(encodeLayout(structuredClone(layout), widths)).toEqual(bytes);
  expect(sizeOfLayout(layout, widths)).toBe(bytes.length);
  return layout;
}

describe("versions 3 and 4, as libhdf5 1.10 writes them", () => {
  it.each([
    ["layouts.h5", 3],
    ["layouts-latest.h5", 4],
  ])("%s: compact, contiguous and external", (file, version) => {
    expect(layoutOf(file, "/compact")).toEqual({
      class: "compact",
      version,
      data: new Uint8Array([1, 0, 2, 0, 3, 0]),
    });
    expect(layoutOf(file, "/contiguous")).toEqual({
      class: "contiguous",
      version,
      address: expect.any(Number),
      size: 12,
    });
    expect(layoutOf(file, "/unallocated")).toEqual({ class: "contiguous", version, address: undefined, size: 12 });
    expect(layoutOf(file, "/external")).toEqual({ class: "contiguous", version, address: undefined, size: 16 });
  });

  it("keeps the element size apart from the chunk's shape", () => {
    expect(layoutOf("layouts.h5", "/chunked")).toEqual({
      class: "chunked",
      version: 3,
      chunkShape: [2, 300],
      elementSize: 2,
      index: { kind: "btree1", address: expect.any(Number) },
    });
    expect(layoutOf("layouts-latest.h5", "/chunked")).toEqual({
      class: "chunked",
      version: 4,
      chunkShape: [2, 300],
      elementSize: 2,
      flags: 0,
      dimensionWidth: 2,
      index: { kind: "farray", address: expect.any(Number), pageBits: 10 },
    });
  });

  it.each([
    ["/single", { kind: "single", address: expect.any(Number) }],
    ["/implicit", { kind: "implicit", address: expect.any(Number) }],
    [
      "/earray",
      {
        kind: "earray",
        maxBits: 32,
        indexElements: 4,
        minPointers: 4,
        minElements: 16,
        pageBits: 10,
        address: undefined,
      },
    ],
    ["/btree2", { kind: "btree2", nodeSize: 2048, splitPercent: 100, mergePercent: 40, address: undefined }],
  ])("%s", (path, index) => {
    expect(layoutOf("layouts-latest.h5", path)).toMatchObject({ version: 4, elementSize: 2, dimensionWidth: 1, index });
  });

  it("has the size and mask of a filtered single chunk", () => {
    const layout = layoutOf("layouts-latest.h5", "/single-deflate");
    expect(layout).toMatchObject({ flags: 2, chunkShape: [40, 60], index: { kind: "single", filterMask: 0 } });
    expect(layout).toMatchObject({ index: { size: expect.any(Number), address: expect.any(Number) } });
  });

  it("has the flag of unfiltered edges", () => {
    expect(layoutOf("layouts-latest.h5", "/edges")).toMatchObject({ flags: 1, chunkShape: [3, 4] });
  });

  it("virtual", () => {
    expect(layoutOf("layouts-latest.h5", "/virtual")).toEqual({
      class: "virtual",
      version: 4,
      heapAddress: expect.any(Number),
      heapIndex: 1,
    });
  });

  it("reads the size of what is not stored, however large", () => {
    const layout = bothWays("03 01 ffffffffffffffff feffffef03000020");
    expect(layout).toMatchObject({ address: undefined, size: 2n * (2n ** 33n - 1n) * (2n ** 27n + 1n) });
  });

  it("reads 2-byte widths", () => {
    expect(layoutOf("widths-2.h5", "/data")).toMatchObject({ class: "contiguous", size: 8 });
    expect(layoutOf("widths-2-latest.h5", "/chunked")).toMatchObject({ chunkShape: [2, 3], index: { kind: "farray" } });
  });
});

describe("version 5, captured from files of libhdf5 2.0", () => {
  it.each([
    [
      "050202030290015802020001e801000000000000000000000008000000000000",
      { chunkShape: [400, 600], flags: 2, index: { kind: "single", size: 488, filterMask: 0, address: 2048 } },
    ],
    [
      "0502000301020302030afb02000000000000",
      { chunkShape: [2, 3], index: { kind: "farray", pageBits: 10, address: 763 } },
    ],
    ["050200030102030204200404100a9504000000000000", { index: { kind: "earray", minElements: 16, address: 1173 } }],
    ["0502000301020302050008000064285307000000000000", { index: { kind: "btree2", nodeSize: 2048, address: 1875 } }],
  ])("%s", (text, expected) => {
    expect(bothWays(text)).toMatchObject({ class: "chunked", version: 5, elementSize: 2, ...expected });
  });
});

// By hand from the specification's table: no libhdf5 at hand writes these.
describe("versions 1 and 2, by the specification", () => {
  it("compact", () => {
    expect(bothWays("01 01 00 0000000000 03000000 06000000 010002000300")).toEqual({
      class: "compact",
      version: 1,
      dims: [3],
      data: new Uint8Array([1, 0, 2, 0, 3, 0]),
    });
  });

  it("contiguous, allocated and not", () => {
    expect(bothWays("01 02 01 0000000000 0008000000000000 03000000 04000000")).toEqual({
      class: "contiguous",
      version: 1,
      address: 2048,
      dims: [3, 4],
    });
    expect(bothWays("02 01 01 0000000000 ffffffffffffffff 05000000")).toMatchObject({ version: 2, address: undefined });
  });

  it("chunked, the element size last", () => {
    expect(bothWays("02 03 02 0000000000 0010000000000000 04000000 05000000 08000000")).toEqual({
      class: "chunked",
      version: 2,
      chunkShape: [4, 5],
      elementSize: 8,
      index: { kind: "btree1", address: 4096 },
    });
  });
});

describe("encodeLayout", () => {
  it("takes the dimension width libhdf5 takes, the element size counted in", () => {
    const layout: Layout = {
      class: "chunked",
      version: 4,
      chunkShape: [2],
      elementSize: 70000,
      index: { kind: "implicit" },
    };
    expect(decodeLayout(encodeLayout(layout, widths), widths)).toMatchObject({ dimensionWidth: 3, elementSize: 70000 });
  });
});

describe("decodeLayout refuses", () => {
  it.each([
    ["another version", "06 01", /version 6, expected 1 to 5/],
    ["another class", "03 04", /expected layout class 0 to 3, got 4/],
    ["virtual in version 3", "03 03 0000000000000000 00000000", /expected layout class 0 to 2, got 3/],
    ["virtual in version 2", "02 01 03 0000000000 0000000000000000", /expected layout class 0 to 2, got 3/],
    ["a dimension of zero", "03 02 02 0000000000000000 00000000 04000000", /chunk dimension is zero/],
    ["one dimension", "03 02 01 0000000000000000 04000000", /1 dimensions, expected 2 to 33/],
    ["34 dimensions", "04 02 00 22 01", /34 dimensions/],
    ["an unknown flag", "04 02 04 02 01 01 01", /unknown flags 0x4/],
    ["a width of 9", "04 02 00 02 09", /dimension width 9/],
    ["a version 1 B-tree in version 4", "04 02 00 02 01 01 01 00", /expected chunk index kind 1 to 5, got 0/],
    ["zero page bits", "04 02 00 02 01 01 01 03 00", /page bits is zero/],
    ["more than all percent", "04 02 00 02 01 01 01 05 00080000 65 28", /split percent 101/],
    ["more data than a file can hold", "03 01 0008000000000000 0000000000002000", /data size .* above 2\^53-1/],
    ["more compact data than there is", "03 00 0800 01020304", /expected 8 bytes, got 4/],
  ])("%s", (_, text, message) => {
    expect(() => decodeLayout(hex(text), widths)).toThrow(message);
  });

  it("a dimension beyond exact numbers", () => {
    expect(() => decodeLayout(hex("04 02 00 02 08 ffffffffffffff7f 0100000000000000 02"), widths)).toThrow(
      InvalidFieldError,
    );
  });
});
