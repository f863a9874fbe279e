import { defaultFilters } from "@h5/filters";
import { countingSource } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { open as openCore } from "../../src/core.ts";
import { open } from "../../src/index.ts";
import { bytesOf, datasetsOf, expectedOf, openFixture, plainData } from "./fixture.ts";

const ramp = (length: number): Uint16Array => Uint16Array.from({ length }, (_, i) => i + 1);

describe("filter masks", () => {
  it.each(["masks-earliest", "masks-latest"])(
    "leave out any filters of any chunk, in every index that keeps masks: %s",
    async (name) => {
      for (const [kind, dataset] of await datasetsOf(await openFixture(name))) {
        const chunks = await dataset.chunkInfo();
        expect(chunks.map(({ filterMask }) => filterMask)).toEqual(kind === "single" ? [1] : [0, 1, 2, 3, 4, 5, 6, 7]);
        expect((await dataset.get()).data).toEqual(ramp(kind === "single" ? 8 : 64));
        for (const { filterMask, offset } of chunks) {
          expect(await dataset.get([...offset])).toBe(kind === "single" ? 1 : 8 * filterMask + 1);
        }
      }
    },
  );

  it("decide which decoders a read needs, before any chunk is fetched", async () => {
    for (const name of ["masks-earliest", "masks-latest"]) {
      const source = countingSource(bytesOf(name));
      for (const [position, missing] of [2, 1, 3].entries()) {
        const filters = defaultFilters.filter(({ id }) => id !== missing);
        const file = await openCore(source, { filters, cache: false });
        for (const [kind, dataset] of await datasetsOf(file)) {
          if (kind === "single") continue;
          const chunks = await dataset.chunkInfo();
          for (const { filterMask, offset, address, size } of chunks) {
            source.reset();
            const read = dataset.get([...offset]);
            if (((filterMask >> position) & 1) === 1) expect(await read).toBe(8 * filterMask + 1);
            else {
              await expect(read).rejects.toMatchObject({ code: "MISSING_FILTER", filterId: missing, path: `/${kind}` });
              expect(source.reads.filter(({ start }) => start >= address && start < address + size)).toEqual([]);
            }
          }
        }
      }
    }
  });
});

describe("pipelines", () => {
  it("have checksums in any place, and more than one", async () => {
    const expected = expectedOf("filter-orders");
    for (const [name, dataset] of await datasetsOf(await openFixture("filter-orders"))) {
      if (name === "unknown") continue;
      expect(await plainData(dataset)).toEqual(expected[`/${name}`]!.data);
    }
  });

  it("have any changed byte of a chunk found by a checksum in any place", async () => {
    const bytes = bytesOf("filter-orders");
    for (const [name, dataset] of await datasetsOf(await open(bytes))) {
      if (!name.includes("fletcher32")) continue;
      const { address, size, offset } = (await dataset.chunkInfo())[0]!;
      for (let at = address; at < address + size; at += 5) {
        const changed = new Uint8Array(bytes);
        changed[at]! ^= 0x10;
        const read = await (await open(changed))
          .dataset(name)
          .then((damaged) => damaged.get([...offset]))
          .catch((error: unknown) => error);
        // A deflated stream ends with bits that mean nothing.
        if (name.endsWith("deflate") && at === address + 30) expect(read).toBe(1);
        else expect(read).toMatchObject({ code: "INVALID_FIELD", path: `/${name}` });
      }
    }
  });

  it("have optional filters left out where they gained nothing", async () => {
    const dataset = await (await openFixture("filter-orders")).dataset("incompressible");
    expect((await dataset.chunkInfo()).map(({ filterMask }) => filterMask)).toEqual([1, 1, 1, 1]);
    const bare = await (await openCore(bytesOf("filter-orders"), { filters: [] })).dataset("incompressible");
    expect((await bare.get()).data).toEqual((await dataset.get()).data);
  });

  it("with a filter that nobody knows are read where every chunk leaves it out", async () => {
    const dataset = await (await openFixture("filter-orders")).dataset("unknown");
    expect((await dataset.get()).data).toEqual(Uint16Array.of(1, 2, 3, 4, 1, 2, 3, 4, 60000, 60000, 60000, 60000));
  });
});

describe("a filtered fractal heap", () => {
  it("is read under a root block and under an indirect one", async () => {
    const file = await openFixture("filtered-heap");
    for (const [name, count] of [
      ["few", 10],
      ["many", 250],
    ] as const) {
      const group = await file.group(name);
      const links = new Map((await group.links()).map((link) => [link.name, link]));
      expect(links.size).toBe(count);
      for (let i = 0; i < count; i++) {
        expect(links.get(`a rather long name of link ${i}`)).toMatchObject({ target: `/a target of some length ${i}` });
      }
      expect(await group.attrs.get("attribute")).toEqual(BigInt64Array.from({ length: 20 }, (_, i) => BigInt(i)));
    }
  });

  it("names the filter that is missing", async () => {
    const file = await openCore(bytesOf("filtered-heap"), { filters: [] });
    for (const name of ["few", "many"]) {
      await expect((await file.group(name)).links()).rejects.toMatchObject({
        code: "MISSING_FILTER",
        filterId: 1,
        path: `/${name}`,
      });
      await expect((await file.group(name)).get("x")).rejects.toMatchObject({
        code: expect.stringMatching(/MISSING_FILTER|NOT_FOUND/),
      });
    }
  });
});
