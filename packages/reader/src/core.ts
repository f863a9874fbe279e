import type { Decoder } from "@h5/filters";
import { defaultLimits, type Limits } from "@h5/framing";
import type { ExternalSources } from "./external.ts";
import { H5File } from "./file.ts";
import { type CacheOptions, type Input, sourceOf } from "./input.ts";
import { loadObject } from "./object.ts";
import { openSession } from "./open-session.ts";
import { OtherFiles } from "./other-files.ts";
import { runPlan, type Session, type SignalOptions, type VirtualView } from "./session.ts";

/** Options of `open`. */
export interface OpenOptions extends SignalOptions {
  /** The decoders chunks may need. */
  readonly filters: readonly Decoder[];
  /** Bounds on what the file may ask for; what is left out has its default. */
  readonly limits?: Partial<Limits> | undefined;
  /** How 64-bit integers come out: exact `bigint`s (the default), or numbers, throwing where one is not exact. */
  readonly int64?: "bigint" | "number" | undefined;
  /** What is kept in memory: metadata of a source that is not there itself, and chunks that were decoded. */
  readonly cache?: CacheOptions | undefined;
  /** Where other files come from; without it, data in them stays unresolved. */
  readonly external?: ExternalSources | undefined;
  /** What the file is called, for `external`, which may go by it. */
  readonly name?: string | undefined;
  /**
   * What a virtual dataset of unlimited size ends with: the last source there is (the default, as in libhdf5), or where
   * the first one is missing.
   */
  readonly virtualView?: VirtualView | undefined;
  /** Missing sources in a row that a printf-style virtual mapping skips; default 0. */
  readonly printfGap?: number | undefined;
}

/**
 * Opens a file: bytes, a Blob or File, a URL (read by range requests), or any byte source. Reads the superblock and the
 * root group's header, nothing else.
 *
 * @throws InvalidFieldError for what is not an HDF5 file, SourceError where the source fails, the signal's reason
 */
export async function open(input: Input, options: OpenOptions): Promise<H5File> {
  const limits = { ...defaultLimits, ...options.limits };
  const settings = {
    filters: options.filters,
    limits,
    int64: options.int64 ?? "bigint",
    cache: options.cache,
    virtualView: options.virtualView ?? "last-available",
    printfGap: options.printfGap ?? 0,
    files: new OtherFiles<Session>(options.external, limits),
  };
  const session = await openSession(options.name, settings.files.counted(sourceOf(input)), settings, options);
  const root = await runPlan(session, loadObject(session, session.rootAddress), options);
  return new H5File(session, root, "/");
}
