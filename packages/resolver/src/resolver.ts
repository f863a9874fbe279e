import { type H5Error, InvalidFieldError, isH5Error, UnsupportedFeatureError } from "@h5/framing";
import type { ExternalFile, ExternalRequest } from "@h5/reader";

/** What asks for a file: something in another file, or `openResolved` for the root. */
export interface ResolveRequest extends Omit<ExternalRequest, "kind"> {
  readonly kind: ExternalRequest["kind"] | "root";
}

/** Finds the files that others name. What it supplies to the reader is its `external` option. */
export interface Resolver {
  /**
   * The file that `name` means to the file that asks, `request.from`; `null` where there is none.
   *
   * A driver member is asked for by its index in decimal digits (of a family) or by the template of its name, with `%s`
   * for what the root's name has there (of a multi or split file).
   */
  open(name: string, request: ResolveRequest): ExternalFile | null | Promise<ExternalFile | null>;
}

/** Characters of a file's name; systems allow no more of a path. */
const LONGEST_NAME = 4096;

/** Throws InvalidFieldError for a name that no file can have: empty, with a NUL, or over 4096 characters. */
export function checkName(name: string, { kind }: ResolveRequest): void {
  const place = { structure: kind };
  if (name === "") throw new InvalidFieldError("expected a file name, got an empty one", place);
  if (name.includes("\0")) throw new InvalidFieldError(`NUL in the file name ${JSON.stringify(name)}`, place);
  if (name.length > LONGEST_NAME) {
    throw new InvalidFieldError(
      `expected a file name of at most ${LONGEST_NAME} characters, got ${name.length}`,
      place,
    );
  }
}

/**
 * What is thrown for a file that may not be opened. Not NotFoundError, which would have a virtual dataset read as fill
 * values; not SourceError, which would end a listing: the file is valid, and needs what the caller has not given.
 */
export function refusal({ kind }: ResolveRequest, message: string): UnsupportedFeatureError {
  return new UnsupportedFeatureError(message, { structure: kind });
}

/**
 * The first of `candidates` that is found. One that may not be opened (see {@link refusal}; HTTP status 401 or 403, which
 * some servers answer for what is not there) is thrown only where no other is found.
 */
export async function firstFound(
  candidates: readonly string[],
  find: (candidate: string) => Promise<ExternalFile | null>,
): Promise<ExternalFile | null> {
  let denied: H5Error | undefined;
  for (const candidate of candidates) {
    try {
      const file = await find(candidate);
      if (file !== null) return file;
    } catch (error) {
      if (!isDenial(error)) throw error;
      denied ??= error;
    }
  }
  if (denied !== undefined) throw denied;
  return null;
}

function isDenial(error: unknown): error is H5Error {
  if (isH5Error(error, "UNSUPPORTED_FEATURE")) return true;
  return isH5Error(error, "SOURCE") && "status" in error && (error.status === 401 || error.status === 403);
}
