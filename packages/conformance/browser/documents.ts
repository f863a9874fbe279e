/** Reads files by URL as `h5 dump --json` does, with what they refer to beside them. */
import { toJson } from "@h5/cli";
import { defaultFilters } from "@h5/filters";
import { communityFilters } from "@h5/filters/community";
import { isH5Error } from "@h5/framing";
import { baseUrlResolver, openResolved } from "@h5/resolver";

const filters = [...defaultFilters, ...communityFilters];

/** The JSON of each file's document, or of the error that it does not open with. */
function documents(urls: readonly string[]): Promise<string[]> {
  return Promise.all(urls.map(document));
}

async function document(url: string): Promise<string> {
  try {
    return JSON.stringify(await toJson(await openResolved(url, baseUrlResolver(url), { filters })));
  } catch (error) {
    const code = isH5Error(error) ? error.code : "UNTYPED";
    return JSON.stringify({ error: { code, message: (error as Error).stack ?? String(error) } });
  }
}

Object.assign(globalThis, { documents });
