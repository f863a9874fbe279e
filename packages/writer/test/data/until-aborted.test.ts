import { describe, expect, it, vi } from "vitest";
import { untilAborted } from "../../src/data/until-aborted.ts";

async function taken(items: AsyncIterable<unknown>, most: number = Infinity): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const item of items) {
    all.push(item);
    if (all.length === most) break;
  }
  return all;
}

describe("untilAborted", () => {
  const { signal } = new AbortController();

  it("gives all items, of promises what they come to, and does not leave what has ended", async () => {
    const leave = vi.fn();
    function* items() {
      try {
        yield 1;
        yield Promise.resolve(2);
      } finally {
        leave();
      }
    }
    expect(await taken(untilAborted<unknown>(items(), signal))).toEqual([1, 2]);
    expect(leave).toHaveBeenCalledOnce();
    expect(await taken(untilAborted(new Set([3]), undefined))).toEqual([3]);
  });

  it("leaves what is left early, and waits for that", async () => {
    let left = false;
    async function* items() {
      try {
        yield 1;
        yield 2;
      } finally {
        await null;
        left = true;
      }
    }
    expect(await taken(untilAborted(items(), signal), 1)).toEqual([1]);
    expect(left).toBe(true);
  });

  it("does not wait for what never answers once the signal has aborted", async () => {
    const controller = new AbortController();
    async function* items() {
      yield 1;
      setTimeout(() => controller.abort("enough"));
      await new Promise(() => {});
    }
    await expect(taken(untilAborted(items(), controller.signal))).rejects.toBe("enough");
  });
});
