const allCodes = [
  "UNSUPPORTED_FEATURE",
  "INVALID_FIELD",
  "UNEXPECTED_EOF",
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "LIMIT_EXCEEDED",
  "MISSING_FILTER",
  "SOURCE",
] as const;

/**
 * The stable codes of {@link H5Error}: recognise errors by code, since two copies of a package have two classes.
 *
 * @useDeclaredType
 */
export type H5ErrorCode = (typeof allCodes)[number];

/** Where an error was found. Every member is optional, since the layer that throws may not know it. */
export interface ErrorPlace {
  /** The structure in the specification's words: `"object header"`, `"B-tree node"`. */
  readonly structure?: string | undefined;
  /** Byte address in the file, relative to the superblock's base address. */
  readonly address?: number | undefined;
  /** HDF5 path of the object being read or written. */
  readonly path?: string | undefined;
  readonly cause?: unknown;
}

/** Base of every error thrown on purpose by the `@h5` packages. */
export class H5Error extends Error {
  readonly code: H5ErrorCode;
  readonly structure: string | undefined;
  readonly address: number | undefined;
  /** The object's path; a layer above fills it in through {@link atPath}. */
  path: string | undefined;

  constructor(code: H5ErrorCode, message: string, place: ErrorPlace = {}) {
    super(locate(message, place), place.cause === undefined ? undefined : { cause: place.cause });
    this.name = "H5Error";
    this.code = code;
    this.structure = place.structure;
    this.address = place.address;
    this.path = place.path;
  }
}

function locate(message: string, { structure, address, path }: ErrorPlace): string {
  const prefix = (path === undefined ? "" : `${path}: `) + (structure === undefined ? "" : `${structure}: `);
  return address === undefined ? prefix + message : `${prefix}${message} (at address ${address})`;
}

/** A valid file, or a valid request, that needs something these packages do not have; the message names it. */
export class UnsupportedFeatureError extends H5Error {
  constructor(message: string, place?: ErrorPlace) {
    super("UNSUPPORTED_FEATURE", message, place);
    this.name = "UnsupportedFeatureError";
  }
}

/** A field of the file holds what the specification does not allow. */
export class InvalidFieldError extends H5Error {
  constructor(message: string, place?: ErrorPlace) {
    super("INVALID_FIELD", message, place);
    this.name = "InvalidFieldError";
  }
}

/** The bytes end before the structure does. */
export class UnexpectedEofError extends H5Error {
  constructor(structure: string, address: number | undefined, expected: number, got: number) {
    super("UNEXPECTED_EOF", `expected ${expected} bytes, got ${got}`, { structure, address });
    this.name = "UnexpectedEofError";
  }
}

/** The caller asked for something that makes no sense. */
export class InvalidArgumentError extends H5Error {
  constructor(message: string, place?: ErrorPlace) {
    super("INVALID_ARGUMENT", message, place);
    this.name = "InvalidArgumentError";
  }
}

/** No such path, link or attribute. */
export class NotFoundError extends H5Error {
  constructor(message: string, place?: ErrorPlace) {
    super("NOT_FOUND", message, place);
    this.name = "NotFoundError";
  }
}

/** The file asks for more than a limit allows; `limit` names the member of `Limits` to raise. */
export class LimitExceededError extends H5Error {
  readonly limit: string;
  constructor(limit: string, allowed: number, got: number | string, place?: ErrorPlace) {
    super("LIMIT_EXCEEDED", `needs ${got}, limits.${limit} allows ${allowed}; pass a larger one to go on`, place);
    this.name = "LimitExceededError";
    this.limit = limit;
  }
}

/** A needed chunk went through a filter for which no decoder was passed in, or is to go through one without an encoder. */
export class MissingFilterError extends H5Error {
  readonly filterId: number;
  readonly filterName: string;
  constructor(filterId: number, filterName: string, place?: ErrorPlace, codec: "decoder" | "encoder" = "decoder") {
    const hint = codec === "decoder" ? "; pass one in filters, as @h5/filters and @h5/filters/community have them" : "";
    super("MISSING_FILTER", `no ${codec} for filter ${filterId} (${filterName || "unnamed"})${hint}`, place);
    this.name = "MissingFilterError";
    this.filterId = filterId;
    this.filterName = filterName;
  }
}

/** A source failed to give bytes: HTTP status, changed file, file system error. */
export class SourceError extends H5Error {
  /** HTTP status, where there was one. */
  readonly status: number | undefined;
  constructor(message: string, options: { cause?: unknown; status?: number | undefined } = {}) {
    super("SOURCE", message, { cause: options.cause });
    this.name = "SourceError";
    this.status = options.status;
  }
}

/**
 * What a failed I/O step throws: the reason of the signal where that has aborted, unwrapped; an {@link H5Error} as it is;
 * all else as a {@link SourceError} with it as `cause`, saying what was being done.
 */
export function ioFailure(error: unknown, doing: string, signal?: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  if (isH5Error(error)) return error;
  return new SourceError(`${doing} failed: ${error instanceof Error ? error.message : String(error)}`, {
    cause: error,
  });
}

/**
 * Whether `error` is an {@link H5Error}, of one of `codes` where any are given. Goes by shape and code, so that it
 * also recognises errors of another copy of these packages.
 */
export function isH5Error(error: unknown, ...codes: readonly H5ErrorCode[]): error is H5Error {
  if (typeof error !== "object" || error === null || !("code" in error && "structure" in error)) return false;
  return ((codes.length === 0 ? allCodes : codes) as readonly unknown[]).includes(error.code);
}

/** Names the object in an error that was thrown below the layer that knows paths; returns the error to be thrown. */
export function atPath(error: unknown, path: string): unknown {
  if (isH5Error(error) && error.path === undefined) {
    error.path = path;
    error.message = `${path}: ${error.message}`;
  }
  return error;
}
