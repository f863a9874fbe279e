import { encodeFilterPipeline } from "@h5/filters";
import { InvalidArgumentError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { planPipeline } from "../../src/filters/pipeline.ts";
import { paramsCases } from "./cases.ts";

/** What libhdf5 takes and then leaves out of every chunk, or rounds to other numbers. */
function isRefusedByUs(name: string): boolean {
  const ofIntegers = /^scale-integer-[lb]e-f\d/.test(name) || /^scale-integer-(f4-21|f16)$/.test(name);
  const ofFloats = /^scale-float-([iu]|([lb]e-)[iu])\d/.test(name);
  return ofIntegers || ofFloats || [...tooLargeForSzip, ...noFloatToScale].includes(name);
}

const tooLargeForSzip = ["szip-f16", "szip-array-of-arrays"];
/** Of a size libhdf5 knows, which it takes for IEEE numbers, or of one it has no fill value for. */
const noFloatToScale = ["scale-float-f4-21", "scale-integer-no-fill-i3"];

const taken = paramsCases.filter(({ name, message }) => message !== null && !isRefusedByUs(name));
const refused = paramsCases.filter(({ name, message }) => message === null || isRefusedByUs(name));

describe("planPipeline", () => {
  it.each(taken.map((c) => [c.name, c] as const))("gives the entries libhdf5 stores: %s", (_, c) => {
    const { filters, encoders } = planPipeline(c.filters(), c.dataset);
    expect(Buffer.from(encodeFilterPipeline({ version: 2, filters })).toString("hex")).toBe(c.message);
    expect(encoders.map(({ id }) => id)).toEqual(filters.map(({ id }) => id));
  });

  it.each(refused.map((c) => [c.name, c] as const))("refuses what cannot be filtered so: %s", (_, c) => {
    expect(() => planPipeline(c.filters(), c.dataset)).toThrow(InvalidArgumentError);
  });
});
