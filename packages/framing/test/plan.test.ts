import { describe, expect, it } from "vitest";
import { type ByteRange, bytesSource } from "../src/byte-source.ts";
import { InvalidFieldError } from "../src/errors.ts";
import { defaultLimits } from "../src/limits.ts";
import { all, attempt, need, needSized, type Plan, wait } from "../src/plan.ts";
import { run, runSync } from "../src/run.ts";
import { patternBytes } from "./bytes.ts";

const bytes = patternBytes(1000);
const limits = defaultLimits;

/** Drives a plan by hand, keeping its batches. */
function drive<T>(plan: Plan<T>): { value: T; batches: (readonly ByteRange[])[] } {
  const batches: (readonly ByteRange[])[] = [];
  let step = plan.next();
  while (!step.done) {
    batches.push(step.value);
    step = plan.next(step.value.map(({ start, end }) => bytes.subarray(start, end)));
  }
  return { value: step.value, batches };
}

/** Reads a byte at each of `places`, one after the other. */
function* chain(name: string, places: readonly number[], log: string[] = []): Plan<string> {
  log.push(`+${name}`);
  try {
    for (const place of places) yield* need(name, place, 1);
    return name;
  } finally {
    log.push(`-${name}`);
  }
}

function* failing(after: number): Plan<never> {
  for (let i = 0; i < after; i++) yield* need("failing", i, 1);
  throw new InvalidFieldError("bad");
}

describe("need", () => {
  it("asks for one range and gives its bytes", () => {
    expect(drive(need("thing", 10, 5))).toEqual({ value: bytes.subarray(10, 15), batches: [[{ start: 10, end: 15 }]] });
  });

  it("takes fewer bytes down to its minimum", () => {
    expect(drive(need("thing", 990, 100, 10)).value).toHaveLength(10);
    expect(() => drive(need("thing", 990, 100, 11))).toThrow(
      expect.objectContaining({
        code: "UNEXPECTED_EOF",
        message: "thing: expected 11 bytes, got 10 (at address 990)",
      }),
    );
  });

  it.each([
    [-1, 5],
    [5, -1],
    [2 ** 53 - 1, 1],
    [0.5, 1],
    [Number.NaN, 1],
  ])("refuses address %d and length %d before asking", (start, length) => {
    expect(() => need("thing", start, length).next()).toThrow(expect.objectContaining({ code: "INVALID_FIELD" }));
  });
});

describe("needSized", () => {
  it("asks once where the guess is enough, else once more", () => {
    const sized = (size: number) => drive(needSized("thing", 10, { guess: 20, min: 4, limits }, () => size));
    expect(sized(12)).toEqual({ value: bytes.subarray(10, 22), batches: [[{ start: 10, end: 30 }]] });
    expect(sized(40).value).toEqual(bytes.subarray(10, 50));
    expect(sized(40).batches).toHaveLength(2);
  });

  it("checks the size against the limit before asking for it", () => {
    expect(() => drive(needSized("thing", 0, { guess: 8, min: 4, limits }, () => 2 ** 40))).toThrow(
      expect.objectContaining({ code: "LIMIT_EXCEEDED", limit: "metadataBytes" }),
    );
  });
});

describe("wait", () => {
  const source = bytesSource(bytes);

  it("gives what the work comes to, also among plans that read", async () => {
    const plans = [wait(async () => "done"), need("thing", 3, 2), wait(async () => "too")];
    expect(await run(all<string | Uint8Array>(plans), source)).toEqual(["done", bytes.subarray(3, 5), "too"]);
  });

  it("ends the whole run where the work fails, past any attempt", async () => {
    const error = new InvalidFieldError("no such code");
    await expect(run(attempt(wait(() => Promise.reject(error))), source)).rejects.toBe(error);
  });

  it("ends at an abort", async () => {
    const controller = new AbortController();
    const never = run(
      wait(() => new Promise(() => {})),
      source,
      { signal: controller.signal },
    );
    controller.abort("enough");
    await expect(never).rejects.toBe("enough");
  });

  it("is refused where nothing waits", () => {
    expect(() =>
      runSync(
        wait(async () => 1),
        source,
      ),
    ).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});

describe("attempt", () => {
  it("gives a value, or the plan's own error", () => {
    expect(drive(attempt(chain("a", [1]))).value).toEqual({ value: "a" });
    expect(drive(attempt(failing(2))).value).toEqual({ error: expect.objectContaining({ code: "INVALID_FIELD" }) });
  });

  it("does not catch what is not ours", () => {
    // biome-ignore lint/correctness/useYield: a plan that throws at once
    function* broken(): Plan<never> {
      throw new TypeError("fault");
    }
    expect(() => drive(attempt(broken()))).toThrow(TypeError);
  });

  it("keeps a bad plan from its siblings", () => {
    const { value } = drive(all([attempt(chain("a", [1, 2, 3])), attempt(failing(1)), attempt(chain("b", [4]))]));
    expect(value.map(({ value, error }) => value ?? error?.code)).toEqual(["a", "INVALID_FIELD", "b"]);
  });
});

describe("all", () => {
  it("merges what all need next, and gives results in order", () => {
    const { value, batches } = drive(all([chain("a", [1, 2, 3]), chain("b", []), chain("c", [7]), chain("d", [8, 9])]));
    expect(value).toEqual(["a", "b", "c", "d"]);
    expect(batches.map((batch) => batch.map(({ start }) => start))).toEqual([[1, 7, 8], [2, 9], [3]]);
  });

  it("sends each plan its own answers", () => {
    function* two(a: number, b: number): Plan<number[]> {
      const answers = yield [
        { start: a, end: a + 1 },
        { start: b, end: b + 1 },
      ];
      return answers.map((answer) => answer[0]!);
    }
    function* none(): Plan<number[]> {
      return [(yield []).length];
    }
    expect(drive(all([two(1, 2), none(), two(5, 4)])).value).toEqual([[bytes[1], bytes[2]], [0], [bytes[5], bytes[4]]]);
  });

  it("starts at most width plans, each when another ends", () => {
    const log: string[] = [];
    const plans = function* (): Iterable<Plan<string>> {
      for (const name of ["a", "b", "c", "d"]) {
        log.push(`?${name}`);
        yield chain(name, name === "a" ? [1, 2] : [3], log);
      }
    };
    const { value, batches } = drive(all(plans(), 2));
    expect(value).toEqual(["a", "b", "c", "d"]);
    expect(batches.map((batch) => batch.length)).toEqual([2, 2, 1]);
    expect(log).toEqual(["?a", "+a", "?b", "+b", "-b", "?c", "+c", "-a", "-c", "?d", "+d", "-d"]);
  });

  it("nests", () => {
    const { value, batches } = drive(all([all([chain("a", [1]), chain("b", [2])]), all([chain("c", [3])])]));
    expect(value).toEqual([["a", "b"], ["c"]]);
    expect(batches).toHaveLength(1);
  });

  it("gives nothing for no plans, and refuses a width of none", () => {
    expect(drive(all([])).value).toEqual([]);
    for (const width of [0, Number.NaN]) {
      expect(() => drive(all([chain("a", [])], width))).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
  });

  it("throws with the first plan that does, and closes the others and their source", () => {
    const log: string[] = [];
    const plans = function* (): Iterable<Plan<string>> {
      try {
        yield chain("a", [1, 2, 3], log);
        yield failing(1);
        yield chain("b", [1, 2, 3], log);
        yield chain("never", [], log);
      } finally {
        log.push("closed");
      }
    };
    expect(() => drive(all(plans(), 3))).toThrow("bad");
    expect(log).toEqual(["+a", "+b", "-a", "-b", "closed"]);
  });

  it("closes its plans when it is closed", () => {
    const log: string[] = [];
    const plan = all([chain("a", [1], log), all([chain("b", [2], log)])] as Plan<unknown>[]);
    plan.next();
    plan.return([]);
    expect(log).toEqual(["+a", "+b", "-a", "-b"]);
  });
});
