import type { Datatype } from "@h5/datatypes";
import type { Decoder } from "@h5/filters";
import type { ByteSource, FileContext, HeaderMessage, Limits, Plan, Superblock } from "@h5/framing";
import { abortable, LruMap, run } from "@h5/framing";
import type { GlobalHeapSpans, SharedMessageIndex } from "@h5/heap";
import type { Dataspace } from "@h5/selection";
import type { CacheOptions } from "./input.ts";
import type { LoadedObject } from "./object.ts";
import type { OtherFiles } from "./other-files.ts";
import { Recent } from "./recent.ts";

/** Bytes of global heap collections an open file keeps. */
const COLLECTION_BYTES = 16777216;

/** Bytes of decoded object headers it keeps: few, for a walk meets each once, and what lives on costs more than to decode it again. */
const OBJECT_BYTES = 1048576;

/** Bytes of tree nodes and heap blocks it keeps of the groups and objects that had something looked up. */
const LOOK_UP_BYTES = 8388608;

/** What a virtual dataset of unlimited size ends with: the last source there is, or where the first one is missing. */
export type VirtualView = "last-available" | "first-missing";

/** What was asked for when a file was opened, and holds for the files that it leads to too. */
export interface Settings {
  readonly filters: readonly Decoder[];
  readonly limits: Limits;
  readonly int64: "bigint" | "number";
  readonly cache: CacheOptions | undefined;
  readonly virtualView: VirtualView;
  /** Missing sources in a row that a printf-style virtual mapping skips. */
  readonly printfGap: number;
  readonly files: OtherFiles<Session>;
}

/** Everything the nodes of one open file share. */
export interface Session extends FileContext, Settings {
  /** What the file is known by to those that lead to it; the root's own may be unknown. */
  readonly name: string | undefined;
  /** The name again, but `undefined` for the root: what references read in the file have as `from`. */
  readonly origin: string | undefined;
  readonly superblock: Superblock;
  /** Where the superblock was found: all addresses count from here. */
  readonly baseAddress: number;
  /** Messages of the superblock extension; none where the file has no extension. */
  readonly extension: readonly HeaderMessage[];
  /** Address of the root group's object header. */
  readonly rootAddress: number;
  /** The file from its first byte on, user block and all. */
  readonly whole: ByteSource;
  /** Where metadata comes from: cached blocks, address 0 at the base address. */
  readonly metadata: ByteSource;
  /** Where bulk data comes from: the same bytes, past the cache. */
  readonly data: ByteSource;
  /** Loaded objects by header address. */
  readonly objects: LruMap<number, LoadedObject>;
  /** The indexes of the file's shared messages, once something has asked for one. */
  sharedMessages: readonly SharedMessageIndex[] | undefined;
  readonly code: LoadedCode;
  /** Global heap collections by address. */
  readonly collections: LruMap<number, GlobalHeapSpans>;
  /** For looking up one of many, which others may follow: it keeps what it goes through. */
  readonly lookUps: FileContext;
  readonly datatypes: Recent<Datatype>;
  readonly dataspaces: Recent<Dataspace>;
}

/** Code that was loaded when something first needed it: to ask for it by `import()` again would take a turn each time. */
export interface LoadedCode {
  /** For dense storage. */
  dense?: typeof import("./dense.ts");
  attributes?: typeof import("./attribute-code.ts");
  children?: typeof import("./children.ts");
  /** For elements. */
  reading?: typeof import("./reading.ts");
}

/** The caches of a session, empty. */
export function emptyCaches(
  context: FileContext,
): Pick<Session, "objects" | "collections" | "lookUps" | "sharedMessages" | "code" | "datatypes" | "dataspaces"> {
  return {
    sharedMessages: undefined,
    code: {},
    objects: new LruMap(OBJECT_BYTES),
    collections: new LruMap(COLLECTION_BYTES),
    lookUps: { ...context, kept: new LruMap(LOOK_UP_BYTES) },
    datatypes: new Recent(),
    dataspaces: new Recent(),
  };
}

/** Options of whatever reads. */
export interface SignalOptions {
  /** Aborts it: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** What `load` gives, such as code; rejects with the signal's reason as soon as that aborts, or if it has. */
export function loaded<T>(load: () => Promise<T>, { signal }: SignalOptions): Promise<T> {
  return abortable(load(), signal);
}

/** Runs a metadata plan over the open file. */
export function runPlan<T>(session: Session, plan: Plan<T>, options: SignalOptions = {}): Promise<T> {
  return run(plan, session.metadata, options);
}
