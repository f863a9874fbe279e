import { describe, expect, it } from "vitest";
import { checkLimit, defaultLimits } from "../src/limits.ts";

describe("checkLimit", () => {
  it("allows the limit itself and names what to raise", () => {
    checkLimit(defaultLimits, "treeDepth", 64);
    expect(() =>
      checkLimit({ ...defaultLimits, treeDepth: 3 }, "treeDepth", 4, { structure: "B-tree node", address: 8 }),
    ).toThrow(
      expect.objectContaining({
        code: "LIMIT_EXCEEDED",
        limit: "treeDepth",
        message: "B-tree node: needs 4, limits.treeDepth allows 3; pass a larger one to go on (at address 8)",
      }),
    );
  });
});
