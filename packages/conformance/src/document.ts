/** What JSON can hold. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A datatype of a document; which members there are depends on the class. */
export interface TypeNode {
  readonly class?: string;
  readonly size?: number | null;
  readonly signed?: boolean;
  readonly [property: string]: Json | undefined;
}

/** An attribute, and the same members of a dataset. */
export interface ValueNode {
  readonly shape?: readonly number[] | null;
  readonly dtype?: TypeNode;
  readonly data?: Json;
  readonly error?: Json;
}

/** A link of a group. */
export interface LinkNode {
  readonly type?: string;
  readonly target?: string;
  readonly file?: string;
  readonly error?: Json;
}

/** A group, dataset, committed datatype or unreadable object of a document. */
export interface ObjectNode extends ValueNode {
  readonly kind?: string;
  readonly attrs?: Readonly<Record<string, ValueNode>>;
  readonly links?: Readonly<Record<string, LinkNode>>;
  readonly maxshape?: readonly (number | null)[] | null;
  readonly layout?: string;
  readonly chunks?: readonly number[] | null;
  readonly filters?: readonly number[];
  readonly attrs_error?: Json;
  readonly attr_errors?: Json;
  readonly attrs_truncated?: Json;
  readonly links_error?: Json;
}

/** What `h5 dump --json` prints of a file, and what the oracle says of it; README.md describes the format. */
export interface Document {
  readonly file?: string;
  readonly userblock?: number;
  readonly superblock?: number;
  readonly objects?: Readonly<Record<string, ObjectNode>>;
  readonly truncated?: boolean;
  /** The oracle's: of the file it read. */
  readonly sha256?: string;
  /** Ours: the file did not open. */
  readonly error?: Json;
  /** The oracle's: libhdf5 refuses the file … */
  readonly open_error?: string;
  readonly root_error?: string;
  /** … or died of it. */
  readonly crash?: boolean;
}

/**
 * A name as it is compared: bytes that are not UTF-8 are lone surrogates in one reader and U+FFFD, one or several, in
 * another.
 */
export function looseName(name: string): string {
  return name.replace(/[\udc80-\udcff]/g, "\ufffd").replace(/\ufffd+/g, "\ufffd");
}

/** Members by their loose names. */
export function byLooseName<T>(members: Readonly<Record<string, T>> | undefined): Map<string, T> {
  return new Map(Object.entries(members ?? {}).map(([name, member]) => [looseName(name), member]));
}

/** A document in which references to what is not there are null, as they are in a copy. */
export function withoutDangling(json: string): Document {
  return JSON.parse(json, (_, value: unknown) => (isDangling(value) ? null : value)) as Document;
}

function isDangling(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "regionref" in value ? value.regionref === null : "dangling" in value && value.dangling === true;
}
