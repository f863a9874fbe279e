import { open } from "@h5/reader";
import { createFile } from "@h5/writer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DatasetSpec, datasets, writeDataset } from "./random-models/dataset-model.ts";
import { libhdf5 } from "./random-models/libhdf5.ts";
import { elementsOf } from "./random-models/readings.ts";
import { trees, writeTree } from "./random-models/tree-model.ts";
import { expectTree } from "./random-models/tree-reading.ts";

const styles = {
  "as usual": {},
  earliest: { compatibility: "earliest" },
  "shared messages, tracked order and a user block": {
    sharedMessages: { minSize: 1 },
    trackOrder: true,
    userblock: 512,
  },
  v200: { libver: "v200" },
} as const;

/** Writes datasets; gives the file and what is in it. */
async function written(specs: readonly DatasetSpec[], style: keyof typeof styles) {
  const file = createFile(styles[style]);
  const models = specs.map((spec, i) => writeDataset(file, `/${i}`, spec, style === "earliest"));
  return { bytes: await file.encode(), models };
}

describe.each(Object.keys(styles) as (keyof typeof styles)[])("random datasets, %s", (style) => {
  it("are what a plain array is after the same changes, to our reader", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(datasets(), { maxLength: 4 }), async (specs) => {
        const { bytes, models } = await written(specs, style);
        const file = await open(bytes);
        for (const [i, model] of models.entries()) {
          const dataset = await file.dataset(`/${i}`);
          expect(dataset.shape).toEqual(model.shape);
          expect(elementsOf((await dataset.get()).data)).toEqual(model.elements);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("and to libhdf5", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(datasets(["lzf"]), { minLength: 1, maxLength: 4 }), async (specs) => {
        const { bytes, models } = await written(specs, style);
        await libhdf5(bytes, (file) => {
          for (const [i, model] of models.entries()) {
            expect(file.shape(`/${i}`)).toEqual(model.shape);
            if (!model.shape.includes(0)) expect(file.elements(`/${i}`)).toEqual(model.elements);
          }
        });
      }),
      { numRuns: 100 },
    );
  });
});

describe.each(Object.keys(styles) as (keyof typeof styles)[])("random trees, %s", (style) => {
  it("have the objects, links, attributes and references they were given", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(trees(60), async (spec) => {
        const file = createFile(styles[style]);
        const root = writeTree(file, spec, style !== "earliest");
        const bytes = await file.encode();
        await expectTree(await open(bytes), root);
        await libhdf5(bytes, (opened) => expect(opened.names.sort()).toEqual([...root.links.keys()].sort()));
      }),
      { numRuns: 60 },
    );
  });
});
