import { InvalidArgumentError, InvalidFieldError, UnexpectedEofError, UnsupportedFeatureError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import {
  bool,
  type ComplexArray,
  collectHeapIds,
  complexType,
  compoundType,
  type Datatype,
  decodeValues,
  dtypeOf,
  encodeValues,
  float32le,
  type HeapUse,
  hasHeapIds,
  int32le,
  int64be,
  integerType,
  type ReferenceDatatype,
  StructArray,
  scalarOf,
  uint8,
  vlenStringType,
  vlenType,
} from "../../src/index.ts";
import { fixtureDataset, fixtureDatasets, hex, json } from "../fixture.ts";

function list(values: unknown): unknown[] {
  return Array.from(values as ArrayLike<unknown>, json);
}

describe("decodeValues", () => {
  it.each(["integers", "odd-integers", "floats", "strings"])("reads %s as libhdf5 does", (name) => {
    for (const { dataset, datatype, stored, count, values } of fixtureDatasets(name)) {
      const decoded = list(decodeValues(datatype, stored, count));
      if (datatype.class === "float")
        expect(
          decoded.map((v) => (v === 0 ? 0 : v)),
          dataset,
        ).toEqual(values.map((v) => (v === 0 ? 0 : v)));
      else expect(decoded, dataset).toEqual(values);
    }
  });

  it.each([
    ["integers", "i1le", "int8", Int8Array],
    ["integers", "u2be", "uint16", Uint16Array],
    ["integers", "u4le", "uint32", Uint32Array],
    ["integers", "i8be", "int64", BigInt64Array],
    ["odd-integers", "bytes3s", "int32", Int32Array],
    ["odd-integers", "bytes5u", "uint64", BigUint64Array],
    ["floats", "f2be", "float16", Float32Array],
    ["floats", "f4le", "float32", Float32Array],
    ["floats", "f8be", "float64", Float64Array],
    ["floats", "bfloat16", "float", Float64Array],
    ["floats", "norm_none", "float", Float64Array],
    ["structured", "bool", "bool", Uint8Array],
    ["structured", "enum", "enum", Int16Array],
    ["structured", "bitfield", "bitfield", Uint16Array],
    ["structured", "time", "time", Int32Array],
  ])("gives %s %s as %s in a %o of its own", (name, dataset, dtype, container) => {
    const { datatype, stored, count } = fixtureDataset(name, dataset);
    expect(dtypeOf(datatype)).toBe(dtype);
    const values = decodeValues(datatype, stored, count) as Int8Array;
    expect(values).toBeInstanceOf(container);
    expect(values.byteOffset).toBe(0);
    expect(values.buffer).not.toBe(stored.buffer);
    expect(values.buffer.byteLength).toBe(values.byteLength);
  });

  it("copies out of a Node Buffer", () => {
    const values = decodeValues(int32le, Buffer.from("01000000ffffffff", "hex"), 2) as Int32Array;
    expect([...values]).toEqual([1, -1]);
    expect(values.buffer.byteLength).toBe(8);
  });

  it("keeps the payload of a NaN", () => {
    const be = decodeValues({ ...float32le, order: "BE" }, hex("7f800001ffc12345"), 2) as Float32Array;
    expect([...new Uint32Array(be.buffer)]).toEqual([0x7f800001, 0xffc12345]);
  });

  it("refuses integers larger than offset and precision can reach", () => {
    const huge = { ...integerType(4, true), size: 16385 };
    expect(() => decodeValues(huge, new Uint8Array(16385), 1)).toThrow(UnsupportedFeatureError);
  });

  it("reads of a floating-point number no more than its fields can reach", () => {
    const stored = new Uint8Array(1048576);
    new DataView(stored.buffer).setFloat32(1048572, 1.5);
    const huge = { ...float32le, order: "BE" as const, size: stored.length };
    expect(decodeValues(huge, stored, 1)).toEqual(Float64Array.of(1.5));
  });

  it("rounds floating-point numbers between two doubles as libhdf5 does: away from zero, to even in its own long double", () => {
    const format = { ...float32le, signPosition: 127, exponentPosition: 112, exponentSize: 15, exponentBias: 16383 };
    const quad: Datatype = { ...format, size: 16, precision: 128, mantissaSize: 112 };
    const x87 = { signPosition: 79, exponentPosition: 64, mantissaSize: 64, normalization: "none" } as const;
    const of = (datatype: Datatype, bits: bigint): unknown => {
      const { size } = datatype;
      const bytes = Uint8Array.from({ length: size }, (_, i) => Number((bits >> BigInt(8 * i)) & 255n));
      return (decodeValues(datatype, bytes, 1) as Float64Array)[0];
    };
    const [one, ulp] = [16383n << 112n, 2 ** -52];
    const half = 1n << 59n;
    expect([-1n, 0n, 1n, half, 2n * half].map((more) => of(quad, one + half + more))).toEqual(
      [0, 1, 1, 1, 2].map((ulps) => 1 + ulps * ulp),
    );
    const long = (16383n << 64n) | (1n << 63n);
    for (const [size, precision, expected] of [
      [16, 80, 1],
      [16, 128, 1 + ulp],
      [12, 80, 1 + ulp],
    ] as const) {
      const datatype: Datatype = { ...format, ...x87, size, precision };
      expect([1024n, 1025n, 3072n].map((more) => of(datatype, long + more))).toEqual([expected, 1 + ulp, 1 + 2 * ulp]);
    }
    const implied: Datatype = { ...format, ...x87, size: 16, precision: 80, normalization: "implied" };
    expect(of(implied, (16383n << 64n) | 2048n)).toBe(1 + ulp);
  });

  it("gives integers of more than 8 bytes as bigints", () => {
    const t = integerType(12, true, "BE");
    expect(dtypeOf(t)).toBe("int");
    expect(decodeValues(t, hex("ffffffffffffffffffffffff 0000000180000000000000ff"), 2)).toEqual([
      -1n,
      0x180000000000000ffn,
    ]);
  });

  it("gives 64-bit integers as numbers on request, exactly or not at all", () => {
    const bytes = encodeValues(int64be, [9007199254740991n, -9007199254740991n, 0n]);
    const values = decodeValues(int64be, bytes, 3, { int64: "number" });
    expect(values).toEqual(Float64Array.of(9007199254740991, -9007199254740991, 0));
    const beyond = encodeValues(int64be, [9007199254740992n]);
    expect(() => decodeValues(int64be, beyond, 1, { int64: "number" })).toThrow(InvalidFieldError);
  });

  it("refuses fewer bytes than elements before it makes room for them", () => {
    expect(() => decodeValues(int32le, new Uint8Array(7), 2)).toThrow(UnexpectedEofError);
    expect(() => decodeValues(int32le, new Uint8Array(7), 2 ** 40)).toThrow(UnexpectedEofError);
    expect(() => decodeValues(int32le, new Uint8Array(7), -1)).toThrow(InvalidArgumentError);
  });

  it.each(["structured", "structured-latest"])("reads compounds, enumerations and opaque bytes of %s", (name) => {
    const { datatype, stored, count, values } = fixtureDataset(name, "compound");
    const rows = decodeValues(datatype, stored, count) as StructArray;
    expect(rows).toBeInstanceOf(StructArray);
    expect(rows.fields.map(({ name, dtype }) => [name, dtype])).toEqual([
      ["x", "int32"],
      ["__proto__", "float64"],
      ["s", "string"],
      ["in", "compound"],
      ["arr", "array"],
      ["ok", "bool"],
    ]);
    const read = [...rows].map((row) => {
      const inner = row["in"] as Record<string, unknown>;
      const array = Array.from(row["arr"] as Uint16Array);
      return [
        row["x"],
        Object.entries(row).find(([key]) => key === "__proto__")![1],
        row["s"],
        inner["p"],
        inner["q"],
        array,
        row["ok"],
      ];
    });
    expect(read).toEqual(values);
    expect(rows.column("x")).toEqual(Int32Array.of(1, -2, 3));
    expect(rows.column("x")).toBe(rows.column("x"));
    expect(rows.at(-1)).toEqual(rows.at(2));
    expect(rows.at(3)).toBeUndefined();
    expect(() => rows.column("nope")).toThrow(/no member "nope"/);
    for (const dataset of ["enum", "bool", "bitfield", "time"]) {
      const found = fixtureDataset(name, dataset);
      expect(list(decodeValues(found.datatype, found.stored, found.count))).toEqual(found.values);
    }
    const opaque = fixtureDataset(name, "opaque");
    const bytes = decodeValues(opaque.datatype, opaque.stored, opaque.count) as Uint8Array[];
    expect(bytes.map((b) => Buffer.from(b).toString("hex"))).toEqual(opaque.values);
    expect(bytes[0]!.buffer.byteLength).toBe(3);
  });

  it("reads the bytes of a compound lazily from a copy, or from the input on request", () => {
    const t = compoundType([{ name: "x", type: int32le }]);
    const bytes = hex("01000000");
    const copied = decodeValues(t, bytes, 1) as StructArray;
    const viewed = decodeValues(t, bytes, 1, { copy: false }) as StructArray;
    bytes[0] = 2;
    expect([copied.at(0), viewed.at(0)]).toEqual([{ x: 1 }, { x: 2 }]);
  });

  it("reads complex numbers as two columns", () => {
    const bytes = encodeValues(float32le, [1, 2, 0, -0.5]);
    const values = decodeValues(complexType(float32le), bytes, 2) as ComplexArray;
    expect(values.re).toEqual(Float32Array.of(1, 0));
    expect(values.im).toEqual(Float32Array.of(2, -0.5));
    expect([...values]).toEqual([
      [1, 2],
      [0, -0.5],
    ]);
    expect(values.at(-1)).toEqual([0, -0.5]);
  });

  it.each(["heap", "heap-latest"])("reads what %s keeps in the global heap", (name) => {
    const strings = fixtureDataset(name, "vlen_str");
    expect(decodeValues(strings.datatype, strings.stored, strings.count, strings)).toEqual(strings.values);
    const sequences = fixtureDataset(name, "vlen_i4");
    const values = decodeValues(sequences.datatype, sequences.stored, 3, sequences) as Int32Array[];
    expect(values.map((v) => [...v])).toEqual(sequences.values);
    const refs = fixtureDataset(name, "refs");
    expect(decodeValues(refs.datatype, refs.stored, 3)).toEqual(
      refs.values.map((address) => (address === null ? null : { kind: "object", address })),
    );
    const regions = fixtureDataset(name, "regions");
    const [none, region] = decodeValues(regions.datatype, regions.stored, 2, regions) as unknown[];
    expect(none).toBeNull();
    expect(region).toMatchObject({ kind: "region", address: regions.values[1] });
    // A block list of version 1: type 2, version 1, one block of rank 2 from (1, 2) to (2, 3).
    expect(Buffer.from((region as { selection: Uint8Array }).selection.subarray(16)).toString("hex")).toBe(
      "02000000" + "01000000" + "01000000" + "02000000" + "02000000" + "03000000",
    );
  });

  it("refuses heap objects that are missing or too short", () => {
    const { datatype, stored } = fixtureDataset("heap", "vlen_i4");
    expect(() => decodeValues(datatype, stored, 3)).toThrow(InvalidArgumentError);
    expect(() => decodeValues(datatype, stored, 3, { heap: () => undefined })).toThrow(/no object/);
    expect(() => decodeValues(datatype, stored, 3, { heap: () => new Uint8Array(11) })).toThrow(/at least 12/);
    expect(() => decodeValues(datatype, stored, 3, { offsetSize: 4 })).toThrow(/16 bytes, expected 12/);
  });

  it("reads the references of HDF5 1.12", () => {
    const t: ReferenceDatatype = { class: "reference", version: 4, size: 18, kind: "object2" };
    const bytes = hex(
      "0200 08 6000000000000000 00000000000000" +
        "0000 00000000 0000000000000000 00000000" +
        "0400 0c000000 0008000000000000 01000000" +
        "0301 25000000 0008000000000000 02000000",
    );
    const blobs: Record<number, Uint8Array> = {
      1: hex("08 6000000000000000 0100 61"),
      2: hex("08 6000000000000000 0200 6673 10000000 02000000 03000000 01000000 00000000 00000000"),
    };
    const values = decodeValues(t, bytes, 4, { heap: ({ index }) => blobs[index] });
    expect(values).toEqual([
      { kind: "object", address: 96 },
      null,
      { kind: "attribute", address: 96, name: "a" },
      { kind: "region", address: 96, file: "fs", rank: 2, selection: hex("03000000 01000000 00000000 00000000") },
    ]);
    let index = 0;
    const stored: Uint8Array[] = [];
    const again = encodeValues(t, values as unknown[], {
      store: (payload) => {
        stored.push(payload);
        return { address: 2048, index: ++index };
      },
    });
    expect(again).toEqual(bytes);
    expect(stored).toEqual([blobs[1], blobs[2]]);
  });
});

describe("scalarOf", () => {
  it("gives one value of any container", () => {
    const bools = decodeValues(bool, Uint8Array.of(1, 0), 2);
    expect([scalarOf(bool, bools, 0), scalarOf(bool, bools, 1)]).toEqual([true, false]);
    expect(scalarOf(int64be, decodeValues(int64be, hex("0000000000000005"), 1), 0)).toBe(5n);
    const t = compoundType([{ name: "x", type: uint8 }]);
    expect(scalarOf(t, decodeValues(t, Uint8Array.of(3), 1), 0)).toEqual({ x: 3 });
  });
});

describe("collectHeapIds", () => {
  function uses(t: Datatype, bytes: Uint8Array, count: number): HeapUse[] {
    const found: HeapUse[] = [];
    collectHeapIds(t, bytes, count, {}, (use) => found.push(use));
    return found;
  }

  it("finds the objects inside compounds and arrays, and says what they hold", () => {
    const nested = vlenType(vlenType(int32le));
    const t = compoundType([
      { name: "s", type: vlenStringType() },
      { name: "v", type: nested },
    ]);
    const ids = { s: { address: 4096, index: 1 }, v: { address: 4096, index: 2 } };
    const order = [ids.s, ids.v];
    // The inner sequence is stored before the outer one that holds its ID.
    const bytes = encodeValues(t, [{ s: "ab", v: [] }], { store: () => order.shift()! });
    expect(uses(t, bytes, 1)).toEqual([{ ...ids.s, count: 2, base: uint8 }]);
    expect(hasHeapIds(t)).toBe(true);
    expect(hasHeapIds(compoundType([{ name: "x", type: int32le }]))).toBe(false);
  });

  it("finds the selections of region references", () => {
    const { datatype, stored, count } = fixtureDataset("heap", "regions");
    expect(uses(datatype, stored, count)).toMatchObject([{ count: 0, base: undefined }]);
  });
});
