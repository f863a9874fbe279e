import { countingSource } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type ByteRange, type ByteSource, bytesSource } from "../src/byte-source.ts";
import { NotFoundError } from "../src/errors.ts";
import { all, attempt, need, type Plan } from "../src/plan.ts";
import { readRange, readRangeInto, run, runSync } from "../src/run.ts";
import { patternBytes } from "./bytes.ts";
import { deferred } from "./deferred.ts";

const bytes = patternBytes(3000000);

function* ask(...ranges: [start: number, end: number][]): Plan<readonly Uint8Array[]> {
  return yield ranges.map(([start, end]): ByteRange => ({ start, end }));
}

/** A plan that says how it was left. */
function* watched(log: string[], ...ranges: [number, number][]): Plan<void> {
  try {
    yield* ask(...ranges);
    log.push("answered");
  } catch {
    log.push("caught");
  } finally {
    log.push("closed");
  }
}

const remote = (slice: ByteSource["slice"]): ByteSource => ({ slice });
const never = (): Promise<Uint8Array> => new Promise(() => {});

describe("run", () => {
  it("coalesces a batch, and answers each range in its order", async () => {
    const source = countingSource(bytes);
    const answers = await run(ask([2000000, 2000010], [10, 20], [0, 5], [30, 30], [2999990, 3000090]), source);
    expect(answers).toEqual(
      [
        [2000000, 2000010],
        [10, 20],
        [0, 5],
        [30, 30],
        [2999990, 3000000],
      ].map(([start, end]) => bytes.subarray(start, end)),
    );
    expect(source.reads).toEqual([
      { start: 0, end: 20 },
      { start: 2000000, end: 2000010 },
      { start: 2999990, end: 3000090 },
    ]);
  });

  it("peeks each range, and fetches only the misses", async () => {
    const counting = countingSource(bytes);
    const peeked: number[] = [];
    const source: ByteSource = {
      slice: (start, end) => counting.slice(start, end),
      peek: (start, end) => {
        peeked.push(start);
        return end <= 100 ? bytes.subarray(start, end) : undefined;
      },
    };
    expect(await run(ask([90, 110], [0, 100], [200, 210]), source)).toEqual([
      bytes.subarray(90, 110),
      bytes.subarray(0, 100),
      bytes.subarray(200, 210),
    ]);
    expect(peeked).toEqual([90, 0, 200]);
    expect(counting.reads).toEqual([{ start: 90, end: 210 }]);
  });

  it("never calls slice for what is at hand or empty", async () => {
    const source = { ...bytesSource(bytes), slice: () => expect.unreachable() };
    expect(await run(ask([5, 10], [7, 7]), source)).toEqual([bytes.subarray(5, 10), new Uint8Array(0)]);
    const plan = ask([7, 7]);
    expect(
      await run(
        plan,
        remote(() => expect.unreachable()),
      ),
    ).toEqual([new Uint8Array(0)]);
  });

  it("cuts an answer longer than asked for, and takes ArrayBuffers and plain answers", async () => {
    expect(
      await run(
        ask([5, 10]),
        remote(async (start) => bytes.slice(start).buffer),
      ),
    ).toEqual([bytes.subarray(5, 10)]);
    expect(
      await run(
        ask([5, 10]),
        remote((start) => bytes.subarray(start)),
      ),
    ).toEqual([bytes.subarray(5, 10)]);
    const generous: ByteSource = { ...bytesSource(bytes), peek: (start) => bytes.subarray(start) };
    expect(await run(ask([5, 10]), generous)).toEqual([bytes.subarray(5, 10)]);
  });

  it("keeps at most 16 requests open", async () => {
    let open = 0;
    let most = 0;
    const source = remote(async (start, end) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return bytes.subarray(start, end);
    });
    const far = Array.from({ length: 40 }, (_, i): [number, number] => [i * 1000000, i * 1000000 + 1]);
    await run(ask(...far), source);
    expect(most).toBe(16);
  });

  it("refuses a senseless range before any call", async () => {
    const log: string[] = [];
    const source: ByteSource = { slice: () => expect.unreachable(), peek: () => expect.unreachable() };
    for (const range of [
      [-1, 5],
      [5, 4],
      [0, 2 ** 53],
      [0.5, 1],
    ] as [number, number][]) {
      await expect(run(watched(log, range), source)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    expect(new Set(log)).toEqual(new Set(["closed"]));
  });

  it.each([
    ["an answer that rejects", remote(() => Promise.reject(new Error("gone")))],
    [
      "a slice that throws",
      remote(() => {
        throw new Error("gone");
      }),
    ],
    [
      "a peek that throws",
      {
        slice: never,
        peek: () => {
          throw new Error("gone");
        },
      },
    ],
  ])("fails for %s, and closes the plan without its catching it", async (_, source) => {
    const log: string[] = [];
    await expect(run(attempt(watched(log, [3, 8])), source)).rejects.toMatchObject({
      code: "SOURCE",
      message: "reading bytes [3, 8) failed: gone",
      cause: expect.objectContaining({ message: "gone" }),
    });
    expect(log).toEqual(["closed"]);
  });

  it("leaves typed errors of the source as they are", async () => {
    const error = new NotFoundError("no such file");
    await expect(
      run(
        ask([0, 1]),
        remote(() => Promise.reject(error)),
      ),
    ).rejects.toBe(error);
  });

  it("refuses an answer that is no bytes", async () => {
    await expect(
      run(
        ask([0, 1]),
        remote(async () => undefined as never),
      ),
    ).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("gives up the other requests of a batch when one fails", async () => {
    const error = new NotFoundError("no such file");
    const seen: (AbortSignal | undefined)[] = [];
    const source = remote((start, _end, options) => {
      seen.push(options?.signal);
      return start === 0 ? never() : Promise.reject(error);
    });
    await expect(run(ask([0, 1], [1000000, 1000001]), source)).rejects.toBe(error);
    expect(seen[0]?.aborted).toBe(true);
  });

  it("begins no further request after a failure", async () => {
    let requests = 0;
    const source = remote(async () => {
      requests++;
      throw new Error("gone");
    });
    const far = Array.from({ length: 40 }, (_, i): [number, number] => [i * 1000000, i * 1000000 + 1]);
    await expect(run(ask(...far), source)).rejects.toMatchObject({ code: "SOURCE" });
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toBe(16);
  });

  it("throws the plan's own error, and closes the plans beside it", async () => {
    const log: string[] = [];
    const plans = all<unknown>([watched(log, [0, 1]), need("thing", 2999999, 2)]);
    await expect(run(plans, bytesSource(bytes))).rejects.toMatchObject({ code: "UNEXPECTED_EOF" });
    expect(log).toEqual(["answered", "closed"]);
  });
});

describe("run with a signal", () => {
  it("does nothing where it has aborted already", async () => {
    const reason = new Error("stop");
    const log: string[] = [];
    const source = { ...bytesSource(bytes), slice: () => expect.unreachable() };
    await expect(run(watched(log, [0, 1]), source, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(log).toEqual([]);
  });

  it("rejects with its reason at once, though the source never answers", async () => {
    const controller = new AbortController();
    const log: string[] = [];
    const seen: (AbortSignal | undefined)[] = [];
    const source = remote((_start, _end, options) => {
      seen.push(options?.signal);
      return never();
    });
    const done = run(watched(log, [0, 1]), source, { signal: controller.signal });
    controller.abort("any reason");
    await expect(done).rejects.toBe("any reason");
    expect(seen.map((signal) => signal?.reason)).toEqual(["any reason"]);
    expect(log).toEqual(["closed"]);
  });

  it("gives the reason even where the source fails in its own way", async () => {
    const controller = new AbortController();
    const source = remote(async () => {
      controller.abort("stop");
      throw new Error("aborted somehow");
    });
    await expect(run(ask([0, 1]), source, { signal: controller.signal })).rejects.toBe("stop");
  });

  it("stops between batches", async () => {
    const controller = new AbortController();
    function* plan(): Plan<void> {
      yield* ask([0, 1]);
      controller.abort("stop");
      yield* ask([1, 2]);
      expect.unreachable();
    }
    await expect(run(plan(), bytesSource(bytes), { signal: controller.signal })).rejects.toBe("stop");
  });

  it("begins no request after an abort", async () => {
    const controller = new AbortController();
    const first = deferred<Uint8Array>();
    let requests = 0;
    const source = remote(() => {
      requests++;
      return first.promise;
    });
    const far = Array.from({ length: 40 }, (_, i): [number, number] => [i * 1000000, i * 1000000 + 1]);
    const done = run(ask(...far), source, { signal: controller.signal });
    controller.abort("stop");
    first.resolve(new Uint8Array(1));
    await expect(done).rejects.toBe("stop");
    await new Promise((resolve) => setImmediate(resolve));
    expect(requests).toBe(16);
  });
});

describe("runSync", () => {
  it("serves sources that answer at once, with or without peek", () => {
    expect(runSync(ask([5, 10], [7, 7]), bytesSource(bytes))).toEqual([bytes.subarray(5, 10), new Uint8Array(0)]);
    expect(
      runSync(
        ask([5, 10]),
        remote((start) => bytes.slice(start).buffer),
      ),
    ).toEqual([bytes.subarray(5, 10)]);
  });

  it("refuses a promise, whatever becomes of it", () => {
    const log: string[] = [];
    const source = remote(() => Promise.reject(new Error("gone")));
    expect(() => runSync(watched(log, [0, 1]), source)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    expect(log).toEqual(["closed"]);
  });

  it("fails as run does", () => {
    const broken = remote(() => {
      throw new Error("gone");
    });
    expect(() => runSync(ask([0, 1]), broken)).toThrow(expect.objectContaining({ code: "SOURCE" }));
    expect(() => runSync(ask([1, 0]), bytesSource(bytes))).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    expect(() => runSync(need("thing", 2999999, 2), bytesSource(bytes))).toThrow(
      expect.objectContaining({ code: "UNEXPECTED_EOF" }),
    );
  });
});

describe("readRange", () => {
  it("checks, reads and cuts", async () => {
    expect(
      await readRange(
        remote(async () => bytes.buffer),
        { start: 0, end: 3 },
      ),
    ).toEqual(bytes.subarray(0, 3));
    await expect(readRange(bytesSource(bytes), { start: 3, end: 0 })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("readRangeInto", () => {
  const source = (readInto: NonNullable<ByteSource["readInto"]>): ByteSource => ({ ...remote(never), readInto });

  it("reads with the source's own readInto", async () => {
    const target = new Uint8Array(3);
    const fill = source(async (start, into) => {
      into.set(bytes.subarray(start, start + 2));
      return 2;
    });
    expect(await readRangeInto(fill, 10, target)).toBe(2);
    expect(target).toEqual(Uint8Array.of(bytes[10]!, bytes[11]!, 0));
  });

  it("fails as readRange does", async () => {
    const target = new Uint8Array(3);
    const gone = source(() => Promise.reject(new Error("gone")));
    await expect(readRangeInto(gone, 0, target)).rejects.toMatchObject({ code: "SOURCE" });
    for (const start of [-1, 2 ** 53 - 2]) {
      await expect(readRangeInto(gone, start, target)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    }
    await expect(readRangeInto(bytesSource(bytes), 0, target)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const controller = new AbortController();
    const silent = readRangeInto(
      source(() => new Promise(() => {})),
      0,
      target,
      { signal: controller.signal },
    );
    controller.abort("reason");
    await expect(silent).rejects.toBe("reason");
  });
});
