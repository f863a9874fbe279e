import { encodeValues, int16be, type Reference, referenceType, type StoredValues, vlenStringType } from "@h5/datatypes";
import { isH5Error } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { createFile, storedElements } from "../../src/index.ts";

/** Values as another file stores them. */
function stored(datatype: StoredValues["datatype"], values: readonly unknown[]): StoredValues {
  const objects: Uint8Array[] = [];
  const bytes = encodeValues(datatype, values, {
    store: (payload) => ({ address: 512, index: objects.push(payload) }),
  });
  return { datatype, bytes, count: values.length, decoding: { heap: ({ index }) => objects[index - 1] } };
}

describe("storedElements", () => {
  it("give the bytes that the same values give", async () => {
    const asStored = createFile();
    asStored.dataset("n", storedElements(stored(int16be, [1, 2, 3, 4])), { shape: [2, 2] });
    asStored.dataset("t", storedElements(stored(vlenStringType(), ["a", "", "bc"])));
    asStored.attribute("a", storedElements(stored(int16be, [7])), { shape: [] });
    asStored.dataset("f", undefined, { dtype: int16be, shape: [2], fillValue: storedElements(stored(int16be, [9])) });
    asStored.dataset("s", [storedElements(stored(int16be, [5, 6]))].values(), { dtype: int16be, shape: [2] });
    const asValues = createFile();
    asValues.dataset("n", [1, 2, 3, 4], { shape: [2, 2], dtype: int16be });
    asValues.dataset("t", ["a", "", "bc"], { dtype: vlenStringType() });
    asValues.attribute("a", 7, { dtype: int16be });
    asValues.dataset("f", undefined, { dtype: int16be, shape: [2], fillValue: 9 });
    asValues.dataset("s", [Int16Array.of(5, 6)].values(), { dtype: int16be, shape: [2] });
    expect(await asStored.encode()).toEqual(await asValues.encode());
  });

  it("take references along by path, also to what comes later; by default to nothing", async () => {
    const references: Reference[] = [{ kind: "object", address: 96 }];
    const values = stored(referenceType("object"), references);
    const file = createFile();
    file.dataset(
      "r",
      storedElements(values, ({ address }) => (address === 96 ? "/later" : null)),
    );
    file.dataset("none", storedElements(values));
    const group = file.group("later");
    const bytes = await file.encode();
    expect(bytes.length).toBeGreaterThan(0);
    group.dataset(
      "dangling",
      storedElements(values, () => "/nowhere"),
    );
    await expect(file.encode()).rejects.toThrow(/leads to no object/);
  });

  it.each([
    ["another type", { dtype: "float64" }],
    ["another number of elements", { shape: [3] }],
  ])("refuse %s", (_, options) => {
    const data = storedElements(stored(int16be, [1, 2]));
    try {
      createFile().dataset("x", data, options);
    } catch (error) {
      expect(isH5Error(error, "INVALID_ARGUMENT")).toBe(true);
      return;
    }
    expect.unreachable();
  });
});

describe("links and types", () => {
  it("of an application are kept within bounds", () => {
    const file = createFile();
    for (const linkClass of [64, 256, 1.5]) {
      expect(() => file.userLink("x", linkClass, new Uint8Array(0))).toThrow(/link class/);
    }
    expect(() => file.userLink("x", 65, new Uint8Array(65536))).toThrow(/65,535|65535/);
    expect(() => createFile({ compatibility: "earliest" }).userLink("x", 65, new Uint8Array(0))).toThrow(/earliest/);
  });

  it("without a name cannot be used", async () => {
    const file = createFile();
    file.dataset("x", [1], { dtype: file.anonymousDatatype("int8") });
    await expect(file.encode()).rejects.toThrow(/no link leads to/);
  });
});
