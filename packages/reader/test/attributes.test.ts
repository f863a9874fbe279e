import { countingSource } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type Attributes, open } from "../src/index.ts";
import { bytesOf, openFixture } from "./fixture.ts";

async function attributesOf(bytes: Uint8Array = bytesOf("attributes")): Promise<Attributes> {
  return (await (await open(bytes)).get("data")).attrs;
}

describe("get", () => {
  it.each([
    ["scalar", 2.5],
    ["null", null],
    ["vector", Uint16Array.of(0, 1, 2)],
    ["matrix", BigInt64Array.of(0n, 1n, 2n, 3n, 4n, 5n)],
    ["text", "bå"],
    ["texts", ["x", "", "long enough"]],
    ["fixed", "latin \udce9"],
    ["flag", true],
    ["__proto__", -5],
    ["toString", 6],
    ["none", new Float64Array(0)],
  ])("%s", async (name, value) => {
    expect(await (await attributesOf()).get(name)).toEqual(value);
  });

  it("gives 64-bit integers as numbers on request", async () => {
    expect(await (await attributesOf()).get("matrix", { int64: "number" })).toEqual(Float64Array.of(0, 1, 2, 3, 4, 5));
  });

  it("gives a compound as a record", async () => {
    const point = (await (await attributesOf()).get("point")) as Record<string, unknown>;
    expect([point["n"], point["x"]]).toEqual([1, 2.5]);
  });

  it("of a name that is not there is NotFound", async () => {
    const attrs = await attributesOf();
    for (const name of ["missing", "constructor", ""]) {
      await expect(attrs.get(name)).rejects.toMatchObject({ code: "NOT_FOUND", path: "/data" });
      expect(await attrs.has(name)).toBe(false);
    }
    expect(await attrs.has("__proto__")).toBe(true);
  });
});

describe("attribute", () => {
  it("has its metadata at hand", async () => {
    const matrix = await (await attributesOf()).attribute("matrix");
    expect(matrix).toMatchObject({ name: "matrix", dtype: "int64", shape: [2, 3] });
    expect(await matrix.get()).toEqual({
      data: BigInt64Array.of(0n, 1n, 2n, 3n, 4n, 5n),
      shape: [2, 3],
      stride: [3, 1],
    });
  });

  it("tells a scalar from a null dataspace", async () => {
    const attrs = await attributesOf();
    const scalar = await attrs.attribute("scalar");
    expect([scalar.dataspace.class, scalar.shape]).toEqual(["scalar", []]);
    expect((await scalar.get()).data).toEqual(Float32Array.of(2.5));
    const empty = await attrs.attribute("null");
    expect([empty.dataspace.class, (await empty.get()).shape]).toEqual(["null", [0]]);
  });
});

describe("names and toObject", () => {
  it("list in byte order where no order is tracked", async () => {
    expect(await (await attributesOf()).names()).toEqual([
      "__proto__",
      "fixed",
      "flag",
      "matrix",
      "none",
      "null",
      "point",
      "scalar",
      "text",
      "texts",
      "toString",
      "vector",
    ]);
  });

  it("list in creation order where it is tracked", async () => {
    const file = await openFixture("ordered");
    expect(await file.attrs.names()).toEqual(["zulu", "alpha", "mike"]);
    expect({ ...(await file.attrs.toObject()) }).toEqual({ zulu: 4, alpha: 5, mike: 4 });
  });

  it("give an object without a prototype, so that every name is a key like another", async () => {
    const values = await (await attributesOf()).toObject();
    expect(Object.getPrototypeOf(values)).toBe(null);
    expect(Object.keys(values)).toContain("__proto__");
    const at = (name: string): unknown => Reflect.get(values, name);
    expect(["__proto__", "toString", "constructor"].map(at)).toEqual([-5, 6, undefined]);
  });

  it("are empty where there are none", async () => {
    const file = await openFixture("storage");
    expect(await file.attrs.names()).toEqual([]);
    expect(Object.keys(await file.attrs.toObject())).toEqual([]);
  });

  it("read the heaps of all variable-length values in one batch", async () => {
    const source = countingSource(bytesOf("attributes"));
    const { attrs } = await (await open(source, { cache: false })).get("data");
    source.reset();
    expect((await attrs.toObject())["texts"]).toEqual(["x", "", "long enough"]);
    expect(source.requests).toBe(1);
    source.reset();
    expect(await attrs.get("text")).toBe("bå");
    expect(source.requests).toBe(0);
  });
});

describe("a broken attribute", () => {
  /** The fixture with the version byte of one attribute's message changed: its name is 8 bytes behind it. */
  const broken = bytesOf("attributes");
  broken[Buffer.from(broken).indexOf("toString\0") - 8] = 99;

  it("leaves the others readable", async () => {
    const attrs = await attributesOf(broken);
    expect(await attrs.get("scalar")).toBe(2.5);
    const { attributes, errors } = await attrs.survey();
    expect(attributes.length).toBe(11);
    expect(errors.map(({ code }) => code)).toEqual(["UNSUPPORTED_FEATURE"]);
  });

  it("is an error of what lists them all, with the object's path", async () => {
    const attrs = await attributesOf(broken);
    await expect(attrs.names()).rejects.toMatchObject({ path: "/data" });
    await expect(attrs.list()).rejects.toMatchObject({ path: "/data" });
    await expect(attrs.toObject()).rejects.toMatchObject({ path: "/data" });
  });

  it("may be the one that is not found, so that is the error", async () => {
    const attrs = await attributesOf(broken);
    await expect(attrs.get("toString")).rejects.toMatchObject({ structure: "attribute message" });
    await expect(attrs.has("toString")).rejects.toMatchObject({ structure: "attribute message" });
  });
});

describe("attributes", () => {
  it("beyond limits.objects are refused", async () => {
    const file = await openFixture("attributes", { limits: { objects: 11 } });
    const { attrs } = await file.get("data");
    await expect(attrs.names()).rejects.toMatchObject({ code: "LIMIT_EXCEEDED", limit: "objects" });
  });

  it("whose payload is in a damaged heap are errors with the attribute's path", async () => {
    const bytes = bytesOf("vlen-strings");
    bytes[Buffer.from(bytes).indexOf("GCOL")] = 0x67;
    const file = await open(bytes);
    await expect(file.attrs.get("note")).rejects.toMatchObject({
      code: "INVALID_FIELD",
      path: expect.stringMatching(/@note$/),
    });
  });
});
