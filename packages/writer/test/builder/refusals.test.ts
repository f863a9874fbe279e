import { uint8, vlenStringType } from "@h5/datatypes";
import { isH5Error } from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  createFile,
  deflate,
  type FileBuilder,
  fletcher32,
  objectReference,
  regionReference,
  scaleOffset,
  shuffle,
  virtualDataset,
} from "../../src/index.ts";

/** A call with a mistake in it, the path the error must name, and words of its message. */
type Mistake = readonly [what: string, call: (file: FileBuilder) => unknown, path: string, message: RegExp];

/** What a caller of JavaScript, who has no types, might give. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point of it
const any = (value: unknown): any => value;

const holdsItself: unknown[] = [];
holdsItself.push(holdsItself);
const objectOfItself: Record<string, unknown> = { x: 1 };
objectOfItself["y"] = objectOfItself;

const mistakes: Readonly<Record<string, readonly Mistake[]>> = {
  "a value that its type does not hold": [
    [
      "2^40 in int32",
      (f) => f.dataset("a", [1, 2 ** 40], { dtype: "int32" }),
      "/a",
      /1099511627776 .*element 1 .*int32/,
    ],
    ["a fraction in an integer", (f) => f.dataset("a", [1.5], { dtype: "int8" }), "/a", /1\.5 .*int8/],
    ["NaN in an integer", (f) => f.dataset("a", [Number.NaN], { dtype: "int8" }), "/a", /NaN .*int8/],
    ["a negative number in an unsigned one", (f) => f.dataset("a", [-1], { dtype: "uint8" }), "/a", /-1 .*uint8/],
    ["a bigint beyond uint64", (f) => f.dataset("a", [2n ** 64n], { dtype: "uint64" }), "/a", /18446744073709551616/],
    ["a bigint beyond int64", (f) => f.dataset("a", [2n ** 63n]), "/a", /9223372036854775808 .*int64/],
    ["a number that overflows float32", (f) => f.dataset("a", [1e300], { dtype: "float32" }), "/a", /1e\+300/],
    ["text too long", (f) => f.dataset("a", ["abcde"], { dtype: "string:4" }), "/a", /"abcde".*4 bytes/],
    ["text too long in UTF-8", (f) => f.dataset("a", ["ééé"], { dtype: "string:4" }), "/a", /"ééé"/],
    ["text with NUL", (f) => f.dataset("a", ["a\0b"]), "/a", /"a\\u0000b"/],
    ["text that has no UTF-8", (f) => f.dataset("a", ["\ud800"]), "/a", /lone surrogate/],
    ["a number for text", (f) => f.dataset("a", [1], { dtype: "string" }), "/a", /1 .*string/],
    ["text among numbers", (f) => f.dataset("a", [1, "x"]), "/a", /"x" of element 1 .*float64/],
    ["a bigint among numbers", (f) => f.dataset("a", [1, 2n]), "/a", /2 of element 1 .*float64/],
    [
      "a hole in a list",
      (f) => f.dataset("a", Object.assign(new Array(3), { 0: 1, 2: 3 })),
      "/a",
      /undefined of element 1/,
    ],
    ["undefined in a list", (f) => f.dataset("a", [1, undefined]), "/a", /undefined of element 1/],
    ["null in a list", (f) => f.dataset("a", [1, null]), "/a", /null of element 1/],
    ["a row without a member", (f) => f.dataset("a", [{ x: 1 }, { y: 1 }]), "/a", /member "x" in row 1/],
    ["a row with another member", (f) => f.dataset("a", [{ x: 1, z: 2 }], { dtype: { x: "int8" } }), "/a", /"z"/],
    ["another column", (f) => f.dataset("a", { x: [1], z: [2] }, { dtype: { x: "int8" } }), "/a", /"z"/],
    ["a value in a member", (f) => f.dataset("a", [{ x: 300 }], { dtype: { x: "int8" } }), "/a", /member "x".*300/],
    ["columns of different lengths", (f) => f.dataset("a", { x: [1, 2], y: [1] }), "/a", /member "y".*2 values.*got 1/],
    ["an opaque value too short", (f) => f.dataset("a", [new Uint8Array(2)], { dtype: "|V3" }), "/a", /3 bytes/],
    ["an attribute's value", (f) => f.group("g").attribute("a", 300, { dtype: "int8" }), "/g", /attribute "a".*300/],
    ["a fill value", (f) => f.dataset("a", [1], { dtype: "int8", fillValue: 300 }), "/a", /300 .*int8/],
    ["a fill value of another kind", (f) => f.dataset("a", [1], { fillValue: "x" }), "/a", /"x"/],
    ["a list as fill value of a number", (f) => f.dataset("a", [1], { fillValue: [1] }), "/a", /float64/],
    ["a value to append", (f) => f.dataset("a", new Int8Array(1), { maxShape: [Infinity] }).append([300]), "/a", /300/],
  ],
  "data that has no type or shape": [
    ["undefined as an attribute", (f) => f.attribute("a", undefined), "/", /attribute "a".*no data/],
    ["a symbol", (f) => f.attribute("a", Symbol("x")), "/", /Symbol\(x\)/],
    ["a function", (f) => f.attribute("a", () => 1), "/", /no datatype/],
    ["a generator as an attribute", (f) => f.attribute("a", (function* () {})()), "/", /Generator/],
    ["a date", (f) => f.dataset("a", new Date(0)), "/a", /Date/],
    ["a DataView", (f) => f.dataset("a", new DataView(new ArrayBuffer(4))), "/a", /DataView/],
    ["an ArrayBuffer", (f) => f.dataset("a", new ArrayBuffer(4)), "/a", /ArrayBuffer/],
    ["a promise", (f) => f.dataset("a", Promise.resolve(1)), "/a", /Promise/],
    ["ragged lists", (f) => f.dataset("a", [[1, 2], [3]]), "/a", /1 values at \[1\], expected 2/],
    ["a number beside lists", (f) => f.dataset("a", [[1, 2], 3]), "/a", /3 at \[1\], expected a list/],
    ["a list that holds itself", (f) => f.dataset("a", holdsItself), "/a", /lists in one another/],
    ["such a list with a dtype", (f) => f.dataset("a", holdsItself, { dtype: "int8" }), "/a", /lists in one another/],
    ["an object that holds itself", (f) => f.dataset("a", objectOfItself), "/a", /objects in one another/],
    ["a dtype that holds itself", (f) => f.dataset("a", 1, { dtype: any(objectOfItself) }), "/a", /./],
    ["neither data nor dtype", (f) => f.dataset("a"), "/a", /dtype must say/],
    ["neither data nor shape", (f) => f.dataset("a", undefined, { dtype: "int8" }), "/a", /shape must say/],
  ],
  "a dtype": [
    ["that is none", (f) => f.dataset("a", [1], { dtype: "int33" }), "/a", /"int33"/],
    ["null", (f) => f.dataset("a", [1], { dtype: any(null) }), "/a", /got null/],
    ["a number", (f) => f.dataset("a", [1], { dtype: any(5) }), "/a", /got 5/],
    ["without members", (f) => f.dataset("a", [{}], { dtype: {} }), "/a", /without members/],
    [
      "of another file",
      (f) => f.dataset("a", [1], { dtype: createFile().namedDatatype("t", "int8") }),
      "/a",
      /another file/,
    ],
    ["that no message holds", (f) => f.namedDatatype("t", manyMembers()), "/t", /datatype of \d+ bytes/],
    ["not known, to be named", (f) => f.namedDatatype("t", "foo"), "/t", /"foo"/],
  ],
  "a shape": [
    ["for fewer values", (f) => f.dataset("a", [1, 2, 3], { shape: [2] }), "/a", /3 values for 2 elements/],
    ["with a fraction", (f) => f.dataset("a", [1, 2, 3], { shape: [1.5, 2] }), "/a", /1\.5/],
    ["below zero", (f) => f.dataset("a", undefined, { shape: [-1], dtype: "int8" }), "/a", /-1/],
    ["that is no list", (f) => f.dataset("a", undefined, { shape: any(3), dtype: "int8" }), "/a", /3/],
    ["of 33 axes", (f) => f.dataset("a", undefined, { shape: new Array(33).fill(1), dtype: "int8" }), "/a", /32/],
    ["of 2^80 elements", (f) => f.dataset("a", undefined, { shape: [2 ** 40, 2 ** 40], dtype: "int8" }), "/a", /2\^53/],
    ["above maxShape", (f) => f.dataset("a", [1, 2, 3], { maxShape: [2] }), "/a", /maxShape \[2\].*\[3\]/],
    ["with a maxShape of another rank", (f) => f.dataset("a", [1], { maxShape: [2, 2] }), "/a", /maxShape/],
    ["with NaN as maxShape", (f) => f.dataset("a", [1], { maxShape: [Number.NaN] }), "/a", /NaN/],
    ["with a maxShape that is no list", (f) => f.dataset("a", [1], { maxShape: any(5) }), "/a", /maxShape 5/],
    ["of the null dataspace with maxShape", (f) => f.dataset("a", null, { maxShape: [5] }), "/a", /maxShape/],
    ["of an attribute", (f) => f.attribute("a", [1, 2], { shape: [3] }), "/", /2 values for 3/],
  ],
  "a layout": [
    ["that is none", (f) => f.dataset("a", [1], { layout: any("foo") }), "/a", /layout "foo"/],
    ["virtual without sources", (f) => f.dataset("a", [1], { layout: any("virtual") }), "/a", /layout "virtual"/],
    [
      "contiguous without limit",
      (f) => f.dataset("a", [1], { maxShape: [Infinity], layout: "contiguous" }),
      "/a",
      /maxShape/,
    ],
    ["compact with chunks", (f) => f.dataset("a", [1], { chunks: [1], layout: "compact" }), "/a", /chunks need/],
    [
      "contiguous with filters",
      (f) => f.dataset("a", [1], { filters: [shuffle()], layout: "contiguous" }),
      "/a",
      /filters/,
    ],
    ["compact of 65,532 bytes", (f) => f.dataset("a", new Uint8Array(65532), { layout: "compact" }), "/a", /65532/],
    [
      "compact, of blocks",
      (f) => f.dataset("a", generated(), { layout: "compact", shape: [1], dtype: "int8" }),
      "/a",
      /blocks/,
    ],
    [
      "compact, allocated late",
      (f) => f.dataset("a", [1], { layout: "compact", allocationTime: "late" }),
      "/a",
      /late/,
    ],
    ["of a fillTime that is none", (f) => f.dataset("a", [1], { fillTime: any("x") }), "/a", /fillTime "x"/],
    [
      "of an allocationTime that is none",
      (f) => f.dataset("a", [1], { allocationTime: any("x") }),
      "/a",
      /allocationTime "x"/,
    ],
    [
      "of a fill value nobody has",
      (f) => f.dataset("a", [1], { fillValue: null, fillTime: "allocation" }),
      "/a",
      /no fill value/,
    ],
    [
      "of a fill value too large",
      (f) => f.dataset("a", undefined, { ...big, fillValue: new Uint8Array(70000) }),
      "/a",
      /fill value of/,
    ],
  ],
  chunks: [
    ["of another rank", (f) => f.dataset("a", [1, 2, 3], { chunks: [1, 1] }), "/a", /chunks \[1, 1\]/],
    ["of nothing", (f) => f.dataset("a", [1, 2, 3], { chunks: [0] }), "/a", /chunks \[0\]/],
    ["larger than may be", (f) => f.dataset("a", [1, 2, 3], { chunks: [4] }), "/a", /chunks \[4\]/],
    [
      "of 4 GiB",
      (f) => f.dataset("a", undefined, { shape: [2 ** 32], dtype: uint8, chunks: [2 ** 32] }),
      "/a",
      /4294967296/,
    ],
    ["as text", (f) => f.dataset("a", [1, 2, 3], { chunks: any("2") }), "/a", /chunks "2"/],
    ["as a number", (f) => f.dataset("a", [1, 2, 3], { chunks: any(2) }), "/a", /chunks 2/],
    ["false", (f) => f.dataset("a", [1, 2, 3], { chunks: any(false) }), "/a", /chunks false/],
    ["of a scalar", (f) => f.dataset("a", 1, { chunks: true }), "/a", /scalar/],
    ["of nothing at all", (f) => f.dataset("a", null, { chunks: true }), "/a", /null/],
  ],
  filters: [
    ["on a scalar", (f) => f.dataset("a", 1, { filters: [shuffle()] }), "/a", /scalar/],
    ["that are no list", (f) => f.dataset("a", [1], { filters: any(shuffle()) }), "/a", /filters .*expected a list/],
    ["by name", (f) => f.dataset("a", [1], { filters: any(["gzip"]) }), "/a", /"gzip"/],
    ["left uncalled", (f) => f.dataset("a", [1], { filters: any([shuffle]) }), "/a", /expected a filter/],
    [
      "in a wrong order",
      (f) => f.dataset("a", new Int8Array(1), { filters: [shuffle(), scaleOffset({ kind: "integer" })] }),
      "/a",
      /first/,
    ],
    [
      "that lose data of any length",
      (f) => f.dataset("a", ["x"], { filters: [fletcher32()] }),
      "/a",
      /variable-length/,
    ],
    [
      "left out of chunks beyond them",
      (f) => f.dataset("a", [1], { filters: [deflate()] }).setFilterMask([0], 2),
      "/a",
      /mask 2 for 1/,
    ],
    [
      "left out of a chunk of another rank",
      (f) => f.dataset("a", [1], { filters: [deflate()] }).setFilterMask([0, 0], 1),
      "/a",
      /\[0,0\]/,
    ],
  ],
  "a path": [
    ["of a number", (f) => f.dataset(any(5), 1), "/", /expected a path, got 5/],
    ["undefined", (f) => f.group("g").group(any(undefined)), "/g", /got undefined/],
    ["empty", (f) => f.group(""), "/", /empty path/],
    ["of slashes", (f) => f.dataset("//", 1), "/", /root group/],
    ["of a dot", (f) => f.dataset(".", 1), "/", /root group/],
    ["with NUL", (f) => f.dataset("a\0", 1), "/", /NUL/],
    ["that has no UTF-8", (f) => f.dataset("a\ud800", 1), "/", /lone surrogate/],
    ["that is taken", (f) => f.dataset("a", 1).attribute("x", 1) && f.dataset("a", 2), "/a", /already/],
    ["through a dataset", (f) => f.dataset("a", 1) && f.dataset("a/b", 2), "/a/b", /"a" is a dataset/],
    ["through a soft link", (f) => f.softLink("a", "/x").dataset("a/b", 2), "/a/b", /soft link/],
    ["through an external link", (f) => f.externalLink("a", "f", "/x").group("a/b"), "/a/b", /external link/],
    ["of a group, where a dataset is", (f) => f.dataset("a", 1) && f.group("a"), "/a", /dataset/],
    ["of a group, where a soft link is", (f) => f.softLink("a", "/x").group("a"), "/a", /already/],
    ["of a group, with other options", (f) => f.group("a") && f.group("a", { comment: "x" }), "/a", /options/],
  ],
  "an option there is not": [
    ["of a dataset", (f) => f.dataset("a", [1], any({ chunk: [1] })), "/a", /no option "chunk", expected .*chunks/],
    ["named as what all objects have", (f) => f.dataset("a", [1], any({ toString: 1 })), "/a", /no option "toString"/],
    ["of a group", (f) => f.group("a", any({ attributes: {} })), "/a", /no option "attributes"/],
    ["of a named datatype", (f) => f.namedDatatype("a", "int8", any({ attr: {} })), "/a", /no option "attr"/],
    ["of an attribute", (f) => f.attribute("a", 1, any({ type: "int8" })), "/", /"a": no option "type"/],
    [
      "of a virtual dataset",
      (f) => virtualDataset(f, "a", [], any({ shape: [1], dtype: "int8", fill: 1 })),
      "/a",
      /no option "fill"/,
    ],
  ],
  "a link": [
    ["to no object", (f) => f.hardLink("a", "/nope"), "/a", /"\/nope"/],
    ["to a soft link", (f) => f.softLink("s", "/").hardLink("a", "/s"), "/a", /"\/s"/],
    ["to an object of another file", (f) => f.hardLink("a", createFile().group("g")), "/a", /another file/],
    ["to the empty path", (f) => f.softLink("a", ""), "/a", /empty target path/],
    ["to a path with NUL", (f) => f.softLink("a", "x\0"), "/a", /NUL/],
    ["to a path too long", (f) => f.softLink("a", "x".repeat(65532)), "/a", /65532 bytes/],
    ["to a path that is none", (f) => f.softLink("a", any(5)), "/a", /got 5/],
    ["to a file without name", (f) => f.externalLink("a", "", "/x"), "/a", /empty file name/],
    ["of HDF5's own classes", (f) => f.userLink("a", 64, new Uint8Array(1)), "/a", /class 64/],
    ["with a value that is no bytes", (f) => f.userLink("a", 65, any("x")), "/a", /bytes/],
  ],
  "an attribute": [
    ["without a name", (f) => f.attribute("", 1), "/", /a name/],
    ["with NUL in its name", (f) => f.attribute("a\0", 1), "/", /NUL/],
    ["whose name has no UTF-8", (f) => f.attribute("\udfff", 1), "/", /lone surrogate/],
    ["whose name is too long", (f) => f.attribute("n".repeat(65535), 1), "/", /65535 bytes/],
    ["whose name is none", (f) => f.attribute(any(5), 1), "/", /got 5/],
    ["that is there", (f) => f.attribute("a", 1).attribute("a", 2), "/", /"a" already/],
    [
      "given twice",
      (f) =>
        f.group("g", {
          attrs: [
            ["a", 1],
            ["a", 2],
          ],
        }),
      "/g",
      /"a" already/,
    ],
    ["in a list without its name", (f) => f.group("g", { attrs: any([1]) }), "/g", /pairs/],
    ["as text", (f) => f.group("g", { attrs: any("ab") }), "/g", /by name/],
    ["null", (f) => f.group("g", { attrs: any(null) }), "/g", /by name/],
  ],
  "a comment": [
    ["that is none", (f) => f.group("g", { comment: any(5) }), "/g", /got 5/],
    ["with NUL", (f) => f.group("g", { comment: "a\0" }), "/g", /NUL/],
    ["too long", (f) => f.group("g", { comment: "a".repeat(65535) }), "/g", /65536 bytes/],
  ],
  "text for ASCII": [
    ["of a fixed size", (f) => f.dataset("a", ["ab", "é"], { dtype: "|S10" }), "/a", /"é" of element 1 .*\(ascii/],
    [
      "of any size",
      (f) => f.dataset("a", ["é", "ab"], { dtype: vlenStringType("ascii") }),
      "/a",
      /"é" of element 0 .*\(ascii/,
    ],
  ],
  "a reference": [
    [
      "of a reader",
      (f) => f.dataset("a", [{ kind: "object", address: 5 }], { dtype: "reference" }),
      "/a",
      /objectReference/,
    ],
    ["of a reader, without dtype", (f) => f.dataset("a", [{ kind: "object", address: 5 }]), "/a", /objectReference/],
    ["to an object, for a region", (f) => f.dataset("a", [objectReference("/a")], { dtype: "region" }), "/a", /region/],
    [
      "without a selection",
      (f) => f.dataset("a", [{ kind: "region", path: "/b" }], { dtype: "region" }),
      "/a",
      /regionReference\(path, selection\)/,
    ],
    [
      "to a region of a group",
      (f) => f.group("g") && f.dataset("a", [regionReference("/g", { type: "all" })]),
      "/a",
      /group/,
    ],
    [
      "to regions in a sequence",
      (f) => f.dataset("a", [[]], { dtype: any(regionSequence) }),
      "/a",
      /sequence of region/,
    ],
  ],
  "external data": [
    ["with data", (f) => f.dataset("a", [1], { external: [{ file: "x", offset: 0, size: 8 }] }), "/a", /no data/],
    [
      "with too little room",
      (f) => f.dataset("a", undefined, { ...four, external: [{ file: "x", offset: 0, size: 2 }] }),
      "/a",
      /2 bytes for 4/,
    ],
    [
      "with an endless piece in between",
      (f) =>
        f.dataset("a", undefined, {
          ...four,
          external: [
            { file: "x", offset: 0, size: undefined },
            { file: "y", offset: 0, size: 4 },
          ],
        }),
      "/a",
      /last/,
    ],
    [
      "from before a file",
      (f) => f.dataset("a", undefined, { ...four, external: [{ file: "x", offset: -1, size: 4 }] }),
      "/a",
      /-1/,
    ],
    [
      "of a file without name",
      (f) => f.dataset("a", undefined, { ...four, external: [{ file: "", offset: 0, size: 4 }] }),
      "/a",
      /name/,
    ],
    [
      "of a name with NUL",
      (f) => f.dataset("a", undefined, { ...four, external: [{ file: "x\0", offset: 0, size: 4 }] }),
      "/a",
      /NUL/,
    ],
    [
      "in chunks",
      (f) => f.dataset("a", undefined, { ...four, chunks: [2], external: [{ file: "x", offset: 0, size: 4 }] }),
      "/a",
      /chunks need/,
    ],
  ],
  "a change": [
    ["of the shape of what has no chunks", (f) => f.dataset("a", [1]).resize([2]), "/a", /contiguous/],
    [
      "of the shape beyond its maximum",
      (f) => f.dataset("a", [1], { maxShape: [2] }).resize([3]),
      "/a",
      /\[3\].*\[2\]/,
    ],
    [
      "of the shape to none",
      (f) => f.dataset("a", [1], { maxShape: [2] }).resize(any(undefined)),
      "/a",
      /shape undefined/,
    ],
    ["of the shape to text", (f) => f.dataset("a", [1], { maxShape: [2] }).resize(any("2")), "/a", /shape "2"/],
    ["that appends to a limited axis", (f) => f.dataset("a", [1], { maxShape: [2] }).append([1]), "/a", /append/],
    [
      "that appends a narrower block",
      (f) => f.dataset("a", [[1, 2]], { maxShape: [Infinity, 2] }).append([[1]]),
      "/a",
      /\[1,1\] to \[1,2\]/,
    ],
    ["outside the shape", (f) => f.dataset("a", [1, 2]).write([1], [1, 2]), "/a", /\[2\] at \[1\]/],
    ["of another rank", (f) => f.dataset("a", [1, 2]).write([0, 0], [1]), "/a", /\[0,0\]/],
    ["that starts nowhere", (f) => f.dataset("a", [1, 2]).write(any(undefined), [1]), "/a", /start undefined/],
    [
      "of a chunk of another size",
      (f) => f.dataset("a", [1, 2, 3], { chunks: [2] }).writeChunk([0], [1]),
      "/a",
      /16 bytes.*got 8/,
    ],
    [
      "of a chunk outside",
      (f) => f.dataset("a", [1, 2, 3], { chunks: [2] }).writeChunk([2], [1, 2]),
      "/a",
      /chunk \[2\]/,
    ],
    [
      "of raw bytes of another size",
      (f) => f.dataset("a", [1, 2], { chunks: [2] }).writeRawChunk([0], new Uint8Array(3)),
      "/a",
      /16 bytes, got 3/,
    ],
    [
      "of raw bytes that are filtered, at the unfiltered edge",
      (f) => f.dataset("a", undefined, edged).writeRawChunk([1], new Uint8Array(3)),
      "/a",
      /not filtered: expected 2 bytes, got 3/,
    ],
    [
      "of raw bytes with a mask, at the unfiltered edge",
      (f) => f.dataset("a", undefined, edged).writeRawChunk([1], new Uint8Array(2), 1),
      "/a",
      /got 2 with filter mask 1/,
    ],
    [
      "of the shape, that takes raw bytes from the unfiltered edge",
      (f) => f.dataset("a", undefined, edged).writeRawChunk([1], new Uint8Array(2)).resize([4]),
      "/a",
      /chunk \[1\] .* would now be filtered/,
    ],
    [
      "of the shape by a block elsewhere, that takes raw bytes from the unfiltered edge",
      (f) =>
        f
          .dataset("a", undefined, { ...edged, shape: [3, 3], maxShape: [Infinity, Infinity], chunks: [2, 2] })
          .writeRawChunk([0, 1], new Uint8Array(4))
          .append([[1]]),
      "/a",
      /chunk \[0,1\] .* would now be filtered/,
    ],
    [
      "of no raw bytes",
      (f) => f.dataset("a", [1], { filters: [deflate()] }).writeRawChunk([0], new Uint8Array(0)),
      "/a",
      /expected bytes/,
    ],
    [
      "of raw bytes that are none",
      (f) => f.dataset("a", [1], { filters: [deflate()] }).writeRawChunk([0], any([1])),
      "/a",
      /expected bytes/,
    ],
    [
      "of a part of a raw chunk",
      (f) =>
        f
          .dataset("a", [1, 2], { filters: [deflate()] })
          .writeRawChunk([0], new Uint8Array(9))
          .write([0], [1]),
      "/a",
      /only the whole/,
    ],
    [
      "of what comes as blocks",
      (f) => f.dataset("a", generated(), { ...four, chunks: [2] }).write([0], [1]),
      "/a",
      /in memory/,
    ],
  ],
};

const four = { shape: [4], dtype: "int8" } as const;
const edged = {
  shape: [3],
  maxShape: [4],
  chunks: [2],
  filters: [deflate()],
  unfilteredEdges: true,
  dtype: "int8",
} as const;
const big = { shape: [1], dtype: "|V70000" } as const;
const regionSequence = {
  class: "vlen",
  version: 1,
  size: 16,
  kind: "sequence",
  base: { class: "reference", version: 1, size: 12, kind: "region" },
};

function* generated(): Generator<number[]> {}

function manyMembers(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`member ${i}`, "float64"]));
}

describe.each(Object.entries(mistakes))("%s", (_, cases) => {
  it.each(cases)("%s", (_what, call, path, message) => {
    const error = thrownBy(() => call(createFile()));
    expect(isH5Error(error, "INVALID_ARGUMENT"), String(error)).toBe(true);
    expect(error).toMatchObject({ path, message: expect.stringMatching(message) });
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

const earliest: readonly Mistake[] = [
  ["an attribute of 64 KiB", (f) => f.attribute("a", new Uint8Array(65536)), "/", /"a".*"earliest"/],
  ["an attribute of 64 KiB with its name", (f) => f.attribute("a", new Uint8Array(65530)), "/", /"a".*"earliest"/],
  ["an attribute of 65,529 bytes", (f) => f.attribute("a", new Uint8Array(65529 - 56)), "/", /"a".*65529 bytes/],
  ["a comment of 65,529 bytes", (f) => f.group("a", { comment: "a".repeat(65528) }), "/a", /65529 bytes.*65528/],
  ["compact of 65,525 bytes", (f) => f.dataset("a", new Uint8Array(65525), { layout: "compact" }), "/a", /65524/],
  [
    "a fill value of 65,529 bytes",
    (f) => f.dataset("a", undefined, { shape: [1], dtype: "string:65521", fillValue: "a" }),
    "/a",
    /65529 bytes.*65528/,
  ],
  ["creation order", (f) => f.group("a", { trackOrder: true }), "/a", /creation order/],
  ["order of attributes", (f) => f.group("a", { trackAttributeOrder: true }), "/a", /creation order/],
  ["an external link", (f) => f.externalLink("a", "f", "x"), "/a", /external link/],
  ["a user-defined link", (f) => f.userLink("a", 70, new Uint8Array(1)), "/a", /user-defined/],
  ["a virtual dataset", (f) => virtualDataset(f, "a", [], { shape: [1], dtype: "int8" }), "/a", /virtual/],
  [
    "unfiltered edges",
    (f) => f.dataset("a", [1], { filters: [deflate()], unfilteredEdges: true }),
    "/a",
    /unfilteredEdges/,
  ],
  ["most bits unused", (f) => f.dataset("a", [1], { dtype: { ...uint8, size: 4, precision: 7 } }), "/a", /unused/],
];

describe('compatibility "earliest"', () => {
  it.each(earliest)("refuses %s", (_what, call, path, message) => {
    const error = thrownBy(() => call(createFile({ compatibility: "earliest" })));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", path, message: expect.stringMatching(message) });
  });
});

describe("createFile", () => {
  it.each([
    [{ userblock: 100 }, /100 bytes/],
    [{ userblock: Number.NaN }, /NaN/],
    [{ userblock: -512 }, /-512/],
    [{ userblock: 2 ** 60 }, /2\^30/],
    [{ userblock: "abc" }, /"abc"/],
    [{ libver: "v114" }, /"v114"/],
    [{ compatibility: "latest" }, /"latest"/],
    [{ compatibility: "earliest", libver: "v200" }, /v200/],
    [{ compatibility: "earliest", sharedMessages: true }, /sharedMessages/],
    [{ compatibility: "earliest", trackOrder: true }, /trackOrder/],
    [{ sharedMessages: { kinds: ["foo"] } }, /"foo"/],
    [{ libVer: "v200" }, /no option "libVer", expected .*libver/],
    [{ root: { track: true } }, /no option "track"/],
    [{ sharedMessages: { min: 8 } }, /no option "min"/],
    [{ sharedMessages: { minSize: -1 } }, /-1/],
    [{ sharedMessages: { listMax: 1e9 } }, /1000000000/],
  ])("refuses %j", (options, message) => {
    expect(thrownBy(() => createFile(any(options)))).toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
  });
});

describe("encode", () => {
  it("refuses a reference that leads to no object", async () => {
    const file = createFile();
    file.dataset("a", [objectReference("/nope")]);
    await expect(file.encode()).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: "/nope" });
  });

  it.each<[string, (file: FileBuilder) => unknown, RegExp]>([
    ["a shorter dataset", (file) => file.dataset("later", [1]), /region of \/later: .*outside/],
    ["one of more axes", (file) => file.dataset("later", [[1]]), /region of \/later: /],
    ["a group", (file) => file.group("later"), /region of \/later: a group has no elements/],
  ])("refuses a region of what turns out to be %s", async (_what, add, message) => {
    const file = createFile();
    file.dataset(
      "a",
      regionReference("/later", { type: "hyperslab", form: "blocks", blocks: [{ start: [5], end: [6] }] }),
    );
    add(file);
    await expect(file.encode()).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["too few", [[1], [2]], /2 .*expected 4|4 .*got 2|expected 4/],
    [
      "too many",
      [
        [1, 2, 3],
        [4, 5],
      ],
      /more data/,
    ],
    ["unfit", [["x"]], /"x"/],
  ])("refuses blocks of %s values", async (_what, blocks, message) => {
    for (const chunks of [undefined, [2]]) {
      const file = createFile();
      file.dataset("a", any(blocks)[Symbol.iterator](), { ...four, chunks });
      await expect(file.encode()).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        path: "/a",
        message: expect.stringMatching(message),
      });
    }
  });
});
