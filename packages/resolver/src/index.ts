export { type BaseUrlOptions, baseUrlResolver } from "./base-url.ts";
export { fileListResolver, type NamedBlob } from "./file-list.ts";
export type { UrlFetch, UrlResponse } from "./guarded-fetch.ts";
export { candidateNames } from "./location.ts";
export {
  type Found,
  type NamedSources,
  type NameOptions,
  namedSources,
  type ResolveFunction,
} from "./named-sources.ts";
export { openResolved, type ResolvedOptions, type RootFile } from "./open-resolved.ts";
export type { Prefixes } from "./prefixes.ts";
export type { ResolveRequest, Resolver } from "./resolver.ts";
