import type { ByteSource } from "@h5/framing";

/** What asks for another file. */
export interface ExternalRequest {
  readonly kind: "external link" | "raw data" | "virtual source" | "driver member";
  /** Name of the file that asks, as it was opened; `undefined` where that was given none. */
  readonly from: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A file that was found. */
export interface ExternalFile {
  /** What tells it from others: two requests for one file give one name. It is the `from` of what the file asks for. */
  readonly name: string;
  readonly source: ByteSource;
}

/** The reader's door to other files; `@h5/resolver` supplies one. Without it such data stays visibly unresolved. */
export interface ExternalSources {
  /** The file of that name, as the asking file spells it; `null` where there is none. */
  open(name: string, request: ExternalRequest): Promise<ExternalFile | null> | ExternalFile | null;
}
