import { abortable, joinWork, type SharedWork, shareWork } from "../abort.ts";
import type { ByteSource, SliceOptions } from "../byte-source.ts";
import { ioFailure, SourceError } from "../errors.ts";
import { type ContentRange, decodeContentRange } from "./content-range.ts";

declare const fetch: HttpFetch;

/** The part of the platform's `fetch` an HTTP source needs; a wrapper may add credentials, retries or a log. */
export type HttpFetch = (
  url: string,
  init: {
    readonly headers: Record<string, string>;
    readonly signal: AbortSignal | null;
    /** Chromium's cache has one request of a URL at a time, and splits ranges of which it holds a part. */
    readonly cache: "no-store";
  },
) => Promise<HttpResponse>;

/** The part of the platform's `Response` an HTTP source needs. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body?: { cancel(): Promise<void> } | null | undefined;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Options of {@link httpSource}. */
export interface HttpSourceOptions {
  /** Used in place of the platform's `fetch`. */
  readonly fetch?: HttpFetch | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A source over HTTP range requests (RFC 9110, section 14), without a HEAD: `byteLength` is known from the first answer
 * on. The first request goes alone, to learn what the server can do; where it answers with the whole body (200), that is
 * kept and serves everything after. A browser's own cache is passed by; a `fetch` of the caller's may choose otherwise.
 *
 * Slices throw SourceError, with `status` where there was an answer: for a status other than 200, 206 and 416 (past the
 * end), a part that is not the one asked for, a body that is cut short, an ETag (or, without one, a Last-Modified) or a
 * length that changes between answers, and a network failure (as `cause`).
 */
export function httpSource(url: string | URL, options: HttpSourceOptions = {}): ByteSource {
  return new HttpSource(String(url), options);
}

class HttpSource implements ByteSource {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #fetch: HttpFetch;
  #length: number | undefined;
  #whole: Uint8Array | undefined;
  #servesRanges: boolean;
  #first: SharedWork<Uint8Array> | undefined;
  #etag: string | null;
  #modified: string | null;

  constructor(url: string, options: HttpSourceOptions) {
    this.#url = url;
    this.#headers = options.headers ?? {};
    // Not called as a method of this object, which the browsers' fetch refuses.
    this.#fetch = options.fetch ?? ((input, init) => fetch(input, init));
    this.#servesRanges = false;
    this.#etag = null;
    this.#modified = null;
  }

  get byteLength(): number | undefined {
    return this.#length;
  }

  peek(start: number, end: number): Uint8Array | undefined {
    if (this.#whole) return this.#whole.subarray(start, end);
    return start === end || start >= (this.#length ?? Number.POSITIVE_INFINITY) ? new Uint8Array(0) : undefined;
  }

  async slice(start: number, end: number, { signal }: SliceOptions = {}): Promise<Uint8Array> {
    for (;;) {
      signal?.throwIfAborted();
      const known = this.peek(start, end);
      if (known) return known;
      if (this.#servesRanges) return this.#read(start, end, signal);
      if (this.#first && !this.#first.abandoned) await joinWork([this.#first], signal);
      else return (await joinWork([this.#readFirst(start, end)], signal))[0]!;
    }
  }

  #readFirst(start: number, end: number): SharedWork<Uint8Array> {
    const first = shareWork((signal) => this.#read(start, end, signal));
    this.#first = first;
    const forget = (): void => {
      if (this.#first === first) this.#first = undefined;
    };
    first.result.then(forget, forget);
    return first;
  }

  async #read(start: number, end: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const stop = Math.min(end, this.#length ?? end);
    try {
      return await abortable(this.#exchange(start, stop, signal), signal);
    } catch (error) {
      throw ioFailure(error, `${this.#name()}: reading bytes [${start}, ${stop})`, signal);
    }
  }

  async #exchange(start: number, end: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const request = this.#fetch;
    const headers = { ...this.#headers, Range: `bytes=${start}-${end - 1}` };
    const response = await request(this.#url, { headers, signal: signal ?? null, cache: "no-store" });
    try {
      if (response.status === 206) return await this.#part(response, start, end);
      if (response.status === 200) return (await this.#body(response)).subarray(start, end);
      if (response.status === 416) return this.#pastEnd(response, start);
      throw this.#error(response, `expected status 206, got ${response.status}`);
    } catch (error) {
      // An answer that is not read would keep its connection.
      response.body?.cancel().catch(() => {});
      throw error;
    }
  }

  async #part(response: HttpResponse, start: number, end: number): Promise<Uint8Array> {
    this.#checkUnchanged(response);
    const encoding = contentEncoding(response);
    if (encoding !== undefined) throw this.#error(response, `expected plain bytes, got a part of a ${encoding} body`);
    const range = this.#contentRange(response);
    const most = end - start;
    if (
      range &&
      !(range.start === start && range.end! <= end && range.end === Math.min(end, range.total ?? range.end!))
    ) {
      throw this.#error(response, `expected bytes ${start}-${end - 1}, got ${response.headers.get("content-range")}`);
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    // Browsers hide Content-Range unless the server exposes it; what is shorter than asked then ends the file.
    const expected = range === undefined ? (contentLength(response) ?? bytes.length) : range.end! - start;
    if (bytes.length !== expected || expected < 1 || expected > most) {
      const wanted = Math.min(Math.max(expected, 1), most);
      throw this.#error(response, `expected ${wanted} bytes of body, got ${bytes.length}`);
    }
    this.#accept(response, range?.total ?? (expected < most ? start + expected : undefined));
    this.#servesRanges = true;
    return bytes;
  }

  async #body(response: HttpResponse): Promise<Uint8Array> {
    this.#checkUnchanged(response);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // The platform has undone any Content-Encoding, whose length this is then not.
    const least = contentEncoding(response) === undefined ? (contentLength(response) ?? 0) : 0;
    if (bytes.length < least) throw this.#error(response, `expected ${least} bytes of body, got ${bytes.length}`);
    this.#accept(response, bytes.length);
    this.#whole = bytes;
    return bytes;
  }

  #pastEnd(response: HttpResponse, start: number): Uint8Array {
    const total = this.#contentRange(response)?.total ?? this.#length;
    if (total !== undefined && start < total) {
      throw this.#error(response, `expected bytes from ${start} of ${total}, got status 416`);
    }
    this.#learnLength(response, total);
    this.#servesRanges = true;
    return new Uint8Array(0);
  }

  #contentRange(response: HttpResponse): ContentRange | undefined {
    const field = response.headers.get("content-range");
    if (field === null) return undefined;
    const range = decodeContentRange(field);
    if (range === undefined) throw this.#error(response, `expected a Content-Range in bytes, got "${field}"`);
    return range;
  }

  #checkUnchanged(response: HttpResponse): void {
    const etag = response.headers.get("etag");
    const modified = response.headers.get("last-modified");
    const [name, was, is] =
      this.#etag !== null && etag !== null
        ? ["ETag", this.#etag, etag]
        : ["Last-Modified", this.#modified ?? modified, modified ?? this.#modified];
    if (was !== is) throw this.#error(response, `the file has changed: expected ${name} ${was}, got ${is}`);
  }

  /** Remembers which file answered, once the answer is whole; others may have come while its body did. */
  #accept(response: HttpResponse, total: number | undefined): void {
    this.#checkUnchanged(response);
    this.#learnLength(response, total);
    this.#etag ??= response.headers.get("etag");
    this.#modified ??= response.headers.get("last-modified");
  }

  #learnLength(response: HttpResponse, total: number | undefined): void {
    if (total === undefined) return;
    if (total !== (this.#length ?? total)) {
      throw this.#error(response, `the file has changed: expected length ${this.#length}, got ${total}`);
    }
    this.#length = total;
  }

  #error({ status }: HttpResponse, message: string): SourceError {
    return new SourceError(`${this.#name()}: ${message}`, { status });
  }

  /** The URL without its query, which may hold a signature. */
  #name(): string {
    return this.#url.replace(/[?#].*$/s, "");
  }
}

function contentLength(response: HttpResponse): number | undefined {
  const field = response.headers.get("content-length");
  return field === null ? undefined : Number(field);
}

function contentEncoding(response: HttpResponse): string | undefined {
  const field = response.headers.get("content-encoding");
  return field === null || field === "" || field === "identity" ? undefined : field;
}
