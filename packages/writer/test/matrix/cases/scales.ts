import { attachScale, labelDimension, makeScale } from "../../../src/index.ts";
import type { MatrixCases } from "../matrix-case.ts";
import { ramp } from "./layouts.ts";

/** Coordinates along the dimensions of other datasets. */
export const scales: MatrixCases = {
  attached(file, expect) {
    const data = file.dataset("/data", ramp(6), { shape: [2, 3] });
    const other = file.dataset("/other", ramp(3));
    const y = makeScale(file.dataset("/y", [10, 20]), "height");
    const x = file.dataset("/x", [1, 2, 3]);
    const second = makeScale(file.dataset("/more/x", [4, 5, 6]));
    attachScale(data, 0, y);
    attachScale(data, 1, x);
    attachScale(data, 1, second);
    labelDimension(data, 1, "länge");
    attachScale(other, 0, x);
    expect("/data", { data: ramp(6), facts: { scales: [["/y"], ["/x", "/more/x"]], labels: ["", "länge"] } });
    expect("/other", { data: ramp(3), facts: { scales: [["/x"]], labels: [""] } });
    expect("/y", { facts: { scale_name: "height" } });
    expect("/x", { facts: { scale_name: "" } });
  },

  many(file, expect) {
    const scale = file.dataset("/scale", ramp(4));
    for (let i = 0; i < 300; i++) {
      const path = `/data${i}`;
      attachScale(file.dataset(path, ramp(4)), 0, scale);
      expect(path, { data: ramp(4), facts: { scales: [["/scale"]] } });
    }
  },
};
