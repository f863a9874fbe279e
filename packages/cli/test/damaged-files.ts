import { isH5Error } from "@h5/framing";
import { open } from "@h5/reader";
import { toJson } from "../src/index.ts";

/** The fixtures that are damaged at every byte. */
export const DAMAGED = [
  "superblock-0-deflate",
  "vlen-strings",
  "header-continuation",
  "userblock",
  "four-byte-widths",
] as const;

/** Errors that say what is wrong with a file; INVALID_ARGUMENT and SOURCE would blame another for it. */
const OF_A_FILE: readonly unknown[] = [
  "UNSUPPORTED_FEATURE",
  "INVALID_FIELD",
  "UNEXPECTED_EOF",
  "NOT_FOUND",
  "LIMIT_EXCEEDED",
  "MISSING_FILTER",
];

/** What became of a damaged file. */
export interface Damage {
  /** Messages of the errors in the document, or of the one that refused the file. */
  readonly errors: readonly string[];
  readonly milliseconds: number;
}

/** Reads all of a file; throws what is no typed error about a file. */
export async function readDamaged(bytes: Uint8Array): Promise<Damage> {
  const begin = performance.now();
  const errors = [...errorsIn(await documentOf(bytes))];
  return { errors, milliseconds: performance.now() - begin };
}

async function documentOf(bytes: Uint8Array): Promise<object> {
  try {
    return await toJson(await open(bytes));
  } catch (error) {
    if (!isH5Error(error)) throw error;
    return { error: { code: error.code, message: error.message } };
  }
}

function* errorsIn(node: object): Generator<string> {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== "object" || value === null) continue;
    const isError = (key === "error" || key === "attrs_error") && "code" in value;
    if (!isError) yield* errorsIn(value);
    else if (OF_A_FILE.includes(value.code)) yield value.message;
    else throw new Error(`an error that is not of the file: ${JSON.stringify(value)}`);
  }
}
