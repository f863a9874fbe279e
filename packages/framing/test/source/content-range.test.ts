import { expect, it } from "vitest";
import { decodeContentRange } from "../../src/source/content-range.ts";

it("decodes the forms of RFC 9110", () => {
  expect(decodeContentRange("bytes 0-99/1000")).toEqual({ start: 0, end: 100, total: 1000 });
  expect(decodeContentRange(" Bytes 5-5/* ")).toEqual({ start: 5, end: 6, total: undefined });
  expect(decodeContentRange("bytes */1000")).toEqual({ start: undefined, end: undefined, total: 1000 });
});

it.each(["", "bytes", "bytes=0-99/1000", "bytes 0-/1000", "bytes -5/10", "bytes 0-99", "items 0-9/10"])(
  "knows %j for none",
  (field) => expect(decodeContentRange(field)).toBeUndefined(),
);
