import type { H5ErrorCode } from "@h5/framing";
import type { Json } from "./document.ts";

/** One place where our reading is not libhdf5's. */
export interface Difference {
  /** Path of the object; an attribute is `path@name`. */
  readonly path: string;
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
  /** The typed error, `CODE: message`, that stands in our document instead of a value. Without one we differ silently. */
  readonly error?: string | undefined;
}

/**
 * The codes by which a file is refused. SOURCE and INVALID_ARGUMENT are not among them: the file's bytes are all there, and
 * nothing senseless was asked.
 */
const TYPED: readonly H5ErrorCode[] = [
  "UNSUPPORTED_FEATURE",
  "INVALID_FIELD",
  "UNEXPECTED_EOF",
  "NOT_FOUND",
  "LIMIT_EXCEEDED",
  "MISSING_FILTER",
];

/** A document's `{code, message}` as `CODE: message` when the code is one that refuses a file, else undefined. */
export function typedError(error: Json | undefined): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  const { code, message } = error as { code: Json; message?: Json };
  return (TYPED as readonly Json[]).includes(code) ? `${code}: ${message}` : undefined;
}

/** Collects differences. */
export interface Differences {
  readonly list: Difference[];
  add(path: string, what: string, expected: unknown, actual: unknown, error?: Json | undefined): void;
}

export function differences(): Differences {
  const list: Difference[] = [];
  return {
    list,
    add(path, what, expected, actual, error) {
      list.push({ path, what, expected: show(expected), actual: show(error ?? actual), error: typedError(error) });
    },
  };
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
