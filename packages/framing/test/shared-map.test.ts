import { describe, expect, it } from "vitest";
import { SharedMap } from "../src/index.ts";

/** Work that ends when told to, and remembers the signals it was begun with. */
function controlled() {
  const signals: AbortSignal[] = [];
  const ends: ((value: string | Error) => void)[] = [];
  const start = (signal: AbortSignal): Promise<string> => {
    signals.push(signal);
    return new Promise((resolve, reject) => {
      ends.push((value) => (typeof value === "string" ? resolve(value) : reject(value)));
    });
  };
  return { signals, ends, start };
}

describe("SharedMap", () => {
  it("does the work of a key once, while it is under way and after", async () => {
    const map = new SharedMap<string, string>();
    const { signals, ends, start } = controlled();
    const both = [map.get("a", start), map.get("a", start)];
    ends[0]!("done");
    expect(await Promise.all(both)).toEqual(["done", "done"]);
    expect(await map.get("a", start)).toBe("done");
    expect(signals.length).toBe(1);
  });

  it("forgets what failed", async () => {
    const map = new SharedMap<string, string>();
    const { ends, start } = controlled();
    const first = map.get("a", start);
    ends[0]!(new Error("no"));
    await expect(first).rejects.toThrow("no");
    const second = map.get("a", start);
    ends[1]!("yes");
    expect(await second).toBe("yes");
  });

  it("ends the wait of who aborts, and the work with the last of them", async () => {
    const map = new SharedMap<string, string>();
    const { signals, ends, start } = controlled();
    const [one, two] = [new AbortController(), new AbortController()];
    const waits = [map.get("a", start, one.signal), map.get("a", start, two.signal)];
    one.abort("one");
    await expect(waits[0]).rejects.toBe("one");
    expect(signals[0]!.aborted).toBe(false);
    two.abort("two");
    await expect(waits[1]).rejects.toBe("two");
    expect(signals[0]!.aborted).toBe(true);
    const again = map.get("a", start);
    ends[1]!("anew");
    expect(await again).toBe("anew");
  });
});
