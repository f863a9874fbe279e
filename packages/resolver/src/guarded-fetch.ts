import { type HttpFetch, type HttpResponse, SourceError } from "@h5/framing";

declare const fetch: UrlFetch;

/** The part of the platform's `fetch` that a resolver needs. */
export type UrlFetch = (
  url: string,
  init: Parameters<HttpFetch>[1] & { readonly redirect: "manual" | "follow" },
) => Promise<UrlResponse>;

/** The part of the platform's `Response` that a resolver needs. */
export interface UrlResponse extends HttpResponse {
  /** Where the answer came from, after redirects. */
  readonly url?: string | undefined;
  /** `"opaqueredirect"` for a redirect that browsers do not show. */
  readonly type?: string | undefined;
}

/** Throws for a URL that may not be asked. */
export type UrlCheck = (url: string) => void;

/** Redirects followed for one request, as browsers do. */
const MOST_REDIRECTS = 20;

/**
 * A `fetch` that checks every URL before it is asked: redirects are followed one by one. Browsers do not show where a
 * redirect leads; there the answer is checked after it, before its bytes are used. The headers go to `base`'s origin alone.
 */
export function guardedFetch(
  base: string,
  options: { readonly fetch?: UrlFetch | undefined; readonly headers?: Readonly<Record<string, string>> | undefined },
): (url: string, init: Parameters<HttpFetch>[1], check: UrlCheck) => Promise<HttpResponse> {
  // Not called as a method, which the browsers' fetch refuses.
  const ask: UrlFetch = options.fetch ?? ((url, init) => fetch(url, init));
  const origin = new URL("/", base).href;
  return async (url, init, check) => {
    let target = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      check(target);
      const headers = target.startsWith(origin) ? { ...options.headers, ...init.headers } : init.headers;
      const response = await ask(target, { ...init, headers, redirect: "manual" });
      if (response.type === "opaqueredirect") {
        return arrived(await ask(target, { ...init, headers, redirect: "follow" }), check);
      }
      const location = isRedirect(response) ? response.headers.get("location") : null;
      if (location === null) return arrived(response, check);
      release(response);
      target = new URL(location, target).href.replace(/#.*$/s, "");
    }
    throw new SourceError(`${url}: more than ${MOST_REDIRECTS} redirects`);
  };
}

function isRedirect({ status }: UrlResponse): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/** The answer, once it has been checked where it came from: a fetch of the user's may have followed redirects by itself. */
function arrived(response: UrlResponse, check: UrlCheck): UrlResponse {
  try {
    if (response.url) check(response.url);
    return response;
  } catch (error) {
    release(response);
    throw error;
  }
}

/** An answer that is not read would keep its connection. */
function release(response: UrlResponse): void {
  response.body?.cancel().catch(() => {});
}
