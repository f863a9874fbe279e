import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  atPath,
  H5Error,
  InvalidArgumentError,
  InvalidFieldError,
  ioFailure,
  isH5Error,
  LimitExceededError,
  MissingFilterError,
  NotFoundError,
  SourceError,
  UnexpectedEofError,
  UnsupportedFeatureError,
} from "../src/errors.ts";

describe("errors", () => {
  it.each([
    [new UnsupportedFeatureError("m"), "UNSUPPORTED_FEATURE", "UnsupportedFeatureError"],
    [new InvalidFieldError("m"), "INVALID_FIELD", "InvalidFieldError"],
    [new UnexpectedEofError("thing", 8, 4, 2), "UNEXPECTED_EOF", "UnexpectedEofError"],
    [new InvalidArgumentError("m"), "INVALID_ARGUMENT", "InvalidArgumentError"],
    [new NotFoundError("m"), "NOT_FOUND", "NotFoundError"],
    [new LimitExceededError("nodes", 1, 2), "LIMIT_EXCEEDED", "LimitExceededError"],
    [new MissingFilterError(32015, "zstd"), "MISSING_FILTER", "MissingFilterError"],
    [new SourceError("m"), "SOURCE", "SourceError"],
  ])("%s has its code and name", (error, code, name) => {
    expect(error).toBeInstanceOf(H5Error);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ code, name });
    expect(isH5Error(error)).toBe(true);
    expect(isH5Error(error, error.code)).toBe(true);
    expect(isH5Error(error, error.code === "SOURCE" ? "NOT_FOUND" : "SOURCE")).toBe(false);
  });

  it("say structure, address, expected and got", () => {
    const error = new UnexpectedEofError("object header", 96, 16, 5);
    expect(error.message).toBe("object header: expected 16 bytes, got 5 (at address 96)");
    expect(error).toMatchObject({ structure: "object header", address: 96 });
    expect(new MissingFilterError(32015, "").message).toContain("filter 32015 (unnamed)");
  });

  it("keep a cause, and have none otherwise", () => {
    const cause = new Error("inner");
    expect(new SourceError("m", { cause, status: 503 })).toMatchObject({ cause, status: 503 });
    expect("cause" in new SourceError("m")).toBe(false);
  });
});

describe("isH5Error", () => {
  it("knows errors of another copy and another realm by their shape", () => {
    class H5Error extends Error {
      code = "NOT_FOUND";
      structure = undefined;
    }
    expect(isH5Error(new H5Error(), "NOT_FOUND", "SOURCE")).toBe(true);
    const foreign: unknown = runInNewContext(
      'Object.assign(new Error("m"), { code: "SOURCE", structure: undefined, address: undefined })',
    );
    expect(isH5Error(foreign)).toBe(true);
  });

  it("knows others apart", () => {
    const enoent = Object.assign(new Error("m"), { code: "ENOENT" });
    const odd = Object.assign(new Error("m"), { code: "ENOENT", structure: "x" });
    for (const other of [new Error("m"), enoent, odd, undefined, null, "SOURCE", {}])
      expect(isH5Error(other)).toBe(false);
  });
});

describe("atPath", () => {
  it("names the object once, as the constructor does", () => {
    const error = new NotFoundError("no attribute", { structure: "attribute" });
    expect(atPath(error, "/a/b")).toBe(error);
    atPath(error, "/a");
    expect(error).toMatchObject({ path: "/a/b", message: "/a/b: attribute: no attribute" });
    expect(new NotFoundError("no attribute", { structure: "attribute", path: "/a/b" }).message).toBe(error.message);
  });

  it("leaves others as they are", () => {
    const other = new Error("m");
    expect(atPath(other, "/a")).toBe(other);
    expect(other.message).toBe("m");
  });
});

describe("ioFailure", () => {
  it("wraps what is not typed", () => {
    const cause = new Error("ECONNRESET");
    expect(ioFailure(cause, "reading")).toMatchObject({ code: "SOURCE", cause, message: "reading failed: ECONNRESET" });
    expect(ioFailure("text", "reading")).toMatchObject({ code: "SOURCE", cause: "text" });
    const typed = new NotFoundError("m");
    expect(ioFailure(typed, "reading")).toBe(typed);
  });

  it("gives the reason of an aborted signal, whatever failed", () => {
    const reason = { any: "value" };
    expect(ioFailure(new Error("m"), "reading", AbortSignal.abort(reason))).toBe(reason);
    expect(ioFailure(new Error("m"), "reading", new AbortController().signal)).toMatchObject({ code: "SOURCE" });
  });
});
