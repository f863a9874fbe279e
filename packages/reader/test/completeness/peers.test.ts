// Where other implementations read wrong values without a word: each here gives the right value, or says what it lacks.
import { complexType, encodeDatatype, float32le } from "@h5/datatypes";
import { defaultFilters } from "@h5/filters";
import { isH5Error } from "@h5/framing";
import { slice } from "@h5/selection";
import { describe, expect, it } from "vitest";
import { open as openCore } from "../../src/core.ts";
import { type Dataset, open } from "../../src/index.ts";
import { externalSlots } from "../../src/stored.ts";
import { bytesOf, datasetsOf, expectedOf, openFixture, plain, plainData } from "./fixture.ts";

/** Whether a read gave just these values, or an error that names what is missing; never anything else. */
async function rightOrRefused(dataset: () => Promise<Dataset>, values: unknown): Promise<void> {
  try {
    expect(await plainData(await dataset())).toEqual(values);
  } catch (error) {
    if (!isH5Error(error)) throw error;
    expect(["UNSUPPORTED_FEATURE", "NOT_FOUND"]).toContain(error.code);
  }
}

describe("peers", () => {
  it("row 6: chunks in a file with addresses and lengths of 4 bytes", async () => {
    const file = await openFixture("four-byte-chunks");
    expect([file.superblock.offsetSize, file.superblock.lengthSize]).toEqual([4, 4]);
    expect(await plainData(await file.dataset("chunked"))).toEqual(expectedOf("four-byte-chunks")["/chunked"]!.data);
  });

  it("row 33: integers of fewer bits than their bytes, not at the lowest", async () => {
    const data = await plainData(await (await openFixture("odd-types")).dataset("eleven bits"));
    expect(data).toEqual([5, -1, -1024, 1023]);
    expect(data).toEqual(expectedOf("odd-types")["/eleven bits"]!.data);
  });

  it.each(["bfloat16", "float8", "float21"])("row 36: floating-point numbers of any size: %s", async (name) => {
    const data = await plainData(await (await openFixture("odd-types")).dataset(name));
    expect(data).toEqual(expectedOf("odd-types")[`/${name}`]!.data);
  });

  it.each(["vax F32", "vax F64"])("row 38: VAX byte order: %s", async (name) => {
    const data = await plainData(await (await openFixture("odd-types")).dataset(name));
    expect(data).toEqual(expectedOf("odd-types")[`/${name}`]!.data);
  });

  it("row 47: records of more than 255 members", async () => {
    const dataset = await (await openFixture("many-members")).dataset("records");
    const records = (await plainData(dataset)) as Record<string, number>[];
    expect(records.map((record) => Object.keys(record).length)).toEqual([300, 300]);
    expect(records).toEqual(expectedOf("many-members")["/records"]!.data);
  });

  it("row 56: complex numbers are not taken for records", async () => {
    const bytes = bytesOf("odd-types");
    const tag = Buffer.from(bytes).indexOf("two 32-bit numbers in one");
    bytes.set(encodeDatatype(complexType(float32le)), tag - 8);
    const dataset = await (await open(bytes)).dataset("pairs");
    expect([dataset.dtype, dataset.datatype.class]).toEqual(["complex", "complex"]);
    const { data } = await dataset.get();
    expect(data).toMatchObject({ re: Float32Array.of(1.5, 0), im: Float32Array.of(-2, 0.25) });
    expect(await dataset.get([1])).toEqual([0, 0.25]);
  });

  it("row 64: filtered chunks in the layout of HDF5 2.0", async () => {
    for (const dataset of (await datasetsOf(await openFixture("layouts-v5"))).values()) {
      expect(await plainData(dataset)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    }
  });

  it.each(["latest", "filtered", "edges"])(
    "row 73: an extensible array whose unlimited dimension is not the first: %s",
    async (name) => {
      const file = await openFixture(`layouts-${name}`);
      const expected = expectedOf(`layouts-${name}`);
      for (const index of ["extensible-last", "extensible-middle"]) {
        const dataset = await file.dataset(index);
        expect(dataset.maxShape.indexOf(Infinity)).toBe(1);
        expect(await plainData(dataset)).toEqual(expected[`/${index}`]!.data);
      }
    },
  );

  it("row 75: edge chunks left unfiltered", async () => {
    const expected = expectedOf("layouts-edges");
    for (const [name, dataset] of await datasetsOf(await openFixture("layouts-edges"))) {
      expect(await plainData(dataset)).toEqual(expected[`/${name}`]!.data);
    }
  });

  it("row 93: an optional filter that a chunk went through is not passed over", async () => {
    // LZF is optional: chunks that it did not apply to say so, and the others need it.
    const bytes = bytesOf("filters/lzf");
    const filters = defaultFilters.filter(({ id }) => id !== 32000);
    const bare = [...(await datasetsOf(await openCore(bytes, { filters }))).values()];
    const needed = await Promise.all(
      bare.map((dataset) =>
        dataset.get().then(
          () => undefined,
          (error: unknown) => error,
        ),
      ),
    );
    expect(needed.filter((error) => isH5Error(error, "MISSING_FILTER")).length).toBeGreaterThan(0);
    for (const error of needed)
      if (error !== undefined) expect(error).toMatchObject({ code: "MISSING_FILTER", filterId: 32000 });
    // One whose data is broken is an error, not data that was left alone.
    const dataset = (await datasetsOf(await open(bytes))).values().next().value!;
    const { address, size } = (await dataset.chunkInfo())[0]!;
    const broken = new Uint8Array(bytes).fill(0xff, address, address + size);
    const again = await (await open(broken)).dataset(dataset.path!);
    await expect(again.get()).rejects.toMatchObject({ code: "INVALID_FIELD" });
  });

  it("row 96: virtual datasets are right or refused, never empty or fill values", async () => {
    const bytes = bytesOf("framing/layouts-latest");
    await rightOrRefused(async () => await (await open(bytes)).dataset("virtual"), [1, 2, 3]);
  });

  it("row 97: virtual datasets of unlimited or printf mappings tell no wrong shape", async () => {
    for (const { object } of await (await openFixture("reader/virtual")).children()) {
      if (object?.kind !== "dataset") continue;
      // Without its sources, a virtual dataset in other files has neither their data nor zeros in place of it.
      const outcome = await object.get().then(
        ({ shape }) => ({ shape: [...object.shape], got: shape }),
        (error: unknown) => error,
      );
      if (isH5Error(outcome)) expect(["UNSUPPORTED_FEATURE", "NOT_FOUND"]).toContain(outcome.code);
      else expect(outcome).toMatchObject({ got: [...object.shape] });
    }
  });

  it("row 98: raw data in other files is refused without them, never zeros", async () => {
    for (const name of ["framing/layouts", "framing/layouts-latest"]) {
      const dataset = await (await openFixture(name)).dataset("external");
      expect(await externalSlots(dataset)).toHaveLength(2);
      await expect(dataset.get()).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE", path: "/external" });
      await expect(dataset.get([slice(0, 2)])).rejects.toMatchObject({ code: "UNSUPPORTED_FEATURE" });
    }
  });

  it("row 102: fractal heaps with filters", async () => {
    const file = await openFixture("filtered-heap");
    expect((await (await file.group("many")).links()).length).toBe(250);
  });

  it("row 108: headers that only the metadata cache image has", async () => {
    const file = await openFixture("framing/cache-image");
    const found = await datasetsOf(file);
    expect(found.size).toBeGreaterThan(0);
    for (const dataset of found.values()) expect(plain((await dataset.get()).shape)).toEqual([...dataset.shape]);
  });
});
