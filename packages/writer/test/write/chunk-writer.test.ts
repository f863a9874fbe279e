import { describe, expect, it } from "vitest";
import { createFile } from "../../src/index.ts";

describe("chunks that are all stored", () => {
  it("are refused in numbers that only a mistake can ask for", async () => {
    const file = createFile();
    file.dataset("names", ["a"], { maxShape: [Number.POSITIVE_INFINITY], chunks: [1000] }).resize([2 ** 40]);
    await expect(file.encode()).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      path: "/names",
      message: expect.stringContaining("1099511628 chunks"),
    });
  });

  it("do not keep numbers from being sparse", async () => {
    const file = createFile();
    file.dataset("numbers", [1], { maxShape: [Number.POSITIVE_INFINITY], chunks: [1000] }).resize([2 ** 40]);
    expect((await file.encode()).length).toBeLessThan(20_000);
  });
});
