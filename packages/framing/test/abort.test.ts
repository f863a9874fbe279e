import { describe, expect, it } from "vitest";
import { abortable, inFlight, joinWork, shareWork } from "../src/abort.ts";
import { deferred } from "./deferred.ts";

describe("abortable", () => {
  it("settles as the work does", async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(1), signal)).toBe(1);
    expect(await abortable(Promise.resolve(1), undefined)).toBe(1);
    await expect(abortable(Promise.reject("error"), signal)).rejects.toBe("error");
  });

  it("rejects with the reason, before or while it waits, and lets the work fail unheard", async () => {
    const { promise, reject } = deferred<number>();
    await expect(abortable(promise, AbortSignal.abort("reason"))).rejects.toBe("reason");
    const controller = new AbortController();
    const waiting = abortable(promise, controller.signal);
    controller.abort("reason");
    reject(new Error("late"));
    await expect(waiting).rejects.toBe("reason");
  });
});

describe("inFlight", () => {
  it("begins in order, at most width at a time", async () => {
    const log: string[] = [];
    const gates = [0, 1, 2].map(() => deferred<void>());
    const done = inFlight(["a", "b", "c"], 2, async (item, i) => {
      log.push(`+${item}`);
      await gates[i]!.promise;
      log.push(`-${item}`);
    });
    expect(log).toEqual(["+a", "+b"]);
    gates[1]!.resolve();
    gates[2]!.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(["+a", "+b", "-b", "+c", "-c"]);
    gates[0]!.resolve();
    await done;
    expect(log.at(-1)).toBe("-a");
  });

  it("ends with no items", () => inFlight([], 4, () => expect.unreachable()));

  it("aborts what is under way when one fails or the signal does, and waits for it", async () => {
    const signals: AbortSignal[] = [];
    const fail = deferred<void>();
    const left = deferred<void>();
    const work = (_: number, i: number, signal: AbortSignal): Promise<void> => {
      signals.push(signal);
      return i === 1 ? fail.promise : left.promise;
    };
    let settled = false;
    const failing = inFlight([0, 1, 2], 2, work).finally(() => {
      settled = true;
    });
    fail.reject("error");
    await new Promise((resolve) => setImmediate(resolve));
    expect(signals.map(({ reason }) => reason)[0]).toBe("error");
    expect(signals).toHaveLength(2);
    expect(settled).toBe(false);
    left.reject("late");
    await expect(failing).rejects.toBe("error");

    const controller = new AbortController();
    let reason: unknown;
    const heed = (_: number, __: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
          resolve();
        });
      });
    const aborting = inFlight([0], 2, heed, controller.signal);
    controller.abort("reason");
    await expect(aborting).rejects.toBe("reason");
    expect(reason).toBe("reason");
    await expect(inFlight([0], 2, () => expect.unreachable(), controller.signal)).rejects.toBe("reason");
  });
});

describe("shared work", () => {
  it("is given up with the last who waits, and not once it has settled", async () => {
    const gate = deferred<string>();
    let own: AbortSignal | undefined;
    const share = () =>
      shareWork((signal) => {
        own = signal;
        return gate.promise;
      });
    const [a, b] = [new AbortController(), new AbortController()];
    const left = share();
    const waits = Promise.allSettled([joinWork([left], a.signal), joinWork([left], b.signal)]);
    a.abort("a");
    await new Promise((resolve) => setImmediate(resolve));
    expect([left.abandoned, own?.aborted]).toEqual([false, false]);
    b.abort("b");
    expect((await waits).map((wait) => (wait as PromiseRejectedResult).reason)).toEqual(["a", "b"]);
    expect([left.abandoned, own?.aborted]).toEqual([true, true]);

    const kept = share();
    gate.resolve("value");
    expect(await joinWork([kept, kept], undefined)).toEqual(["value", "value"]);
    expect(kept.abandoned).toBe(false);
  });
});
