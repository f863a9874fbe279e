import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { dimensionScales, open } from "../src/index.ts";

describe("dimensionScales", () => {
  it("follows the references of each dimension and gives its label", async () => {
    const file = await open(fixtureBytes("reader/dimension-scales.h5"));
    const [north, east] = await dimensionScales(file, await file.dataset("temperature"));
    expect(north).toMatchObject({ size: 2, label: "north", scales: [{ name: "latitude" }] });
    expect(east).toMatchObject({ size: 3, label: undefined });
    expect(east!.scales.map(({ name }) => name)).toEqual(["longitude", ""]);
    const { data } = await east!.scales[0]!.dataset.get();
    expect(data).toEqual(new Float64Array([1, 2, 3]));
    expect(await file.pathOf(east!.scales[1]!.dataset)).toBe("/step");
  });

  it.each([
    // Sequences become opaque bytes, and strings of variable length sequences.
    ["DIMENSION_LIST", [0x15], "expected sequences of references, got opaque"],
    ["DIMENSION_LABELS", [0x19, 0], "expected strings, got vlen"],
  ])("refuses a %s of another type", async (name, type, message) => {
    const bytes = fixtureBytes("reader/dimension-scales.h5");
    const at = Buffer.from(bytes).indexOf(name);
    bytes.set(type, bytes.indexOf(0x19, at + name.length));
    const file = await open(bytes);
    await expect(dimensionScales(file, await file.dataset("temperature"))).rejects.toMatchObject({
      code: "INVALID_FIELD",
      path: "/temperature",
      message: expect.stringContaining(message),
    });
  });

  it("gives dimensions without scales where nothing is attached", async () => {
    const file = await open(fixtureBytes("reader/dimension-scales.h5"));
    expect(await dimensionScales(file, await file.dataset("plain"))).toEqual([
      { size: 2, label: undefined, scales: [] },
    ]);
  });
});
