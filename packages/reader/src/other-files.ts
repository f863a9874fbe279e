import { type ByteSource, checkLimit, type Limits, SharedMap } from "@h5/framing";
import type { ChunkCache } from "./chunk-cache.ts";
import type { ExternalFile, ExternalSources } from "./external.ts";
import type { SignalOptions } from "./session.ts";

/** The files that one leads to, found and opened once. All of them share it, so that each is in it once. */
export class OtherFiles<Opened> {
  /** Decoded chunks of all the files, once some are kept. */
  chunks: ChunkCache | undefined;
  readonly sources: ExternalSources | undefined;
  readonly limits: Limits;
  /** Unopened, by who asked for what: `requestFile` fills it. */
  readonly asked: SharedMap<string, ExternalFile | null> = new SharedMap();
  /** What was looked for: by what it is known by where it was found, else by what asked for it. */
  readonly tried: Set<string> = new Set();
  #requests = 0;
  #bytes = 0;
  readonly #opened = new SharedMap<string, Opened>();

  constructor(sources: ExternalSources | undefined, limits: Limits) {
    this.sources = sources;
    this.limits = limits;
  }

  /** A source that counts what it is asked for, with the others, and refuses beyond the limits; one in memory is as it is. */
  counted(source: ByteSource): ByteSource {
    if (source.peek?.(0, 1) !== undefined) return source;
    const place = { structure: "source" };
    const count = (bytes: number): void => {
      checkLimit(this.limits, "requests", ++this.#requests, place);
      this.#bytes += bytes;
      checkLimit(this.limits, "sourceBytes", this.#bytes, place);
    };
    return {
      get byteLength() {
        return source.byteLength;
      },
      slice(start, end, options) {
        count(end - start);
        return source.slice(start, end, options);
      },
      ...(source.peek && { peek: source.peek.bind(source) }),
      ...(source.readInto && {
        readInto: async (start, target, options) => {
          count(target.length);
          return await source.readInto!(start, target, options);
        },
      }),
    };
  }

  /** The file of an identity, opened by `open` unless it is already. */
  opened(name: string, open: (signal: AbortSignal) => Promise<Opened>, options: SignalOptions = {}): Promise<Opened> {
    return this.#opened.get(name, open, options.signal);
  }
}
