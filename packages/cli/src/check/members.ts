import {
  type ByteSource,
  bytesSource,
  endOfFile,
  InvalidFieldError,
  isH5Error,
  type SliceOptions,
  type Widths,
} from "@h5/framing";
import type { ExternalSources } from "@h5/reader";
import { type Beginning, type MemberSpace, memberSpaceOf } from "@h5/reader/stored";
import { type Check, warn } from "./check.ts";
import { NO_NUMBER } from "./extension.ts";
import type { CheckOptions } from "./file.ts";
import { findingOf } from "./finding.ts";
import { type Part, partIn } from "./parts.ts";

/** The bytes of all files that make one up. */
export interface JoinedFile {
  readonly source: ByteSource;
  readonly foldAddress: Widths["foldAddress"];
  readonly parts: readonly Part[];
}

/** What the file at hand says of itself. */
type Seen = Pick<Beginning, "head" | "far" | "driver">;

/**
 * Puts together the file that the one at hand is a member of; `undefined` where it is whole itself, `null` where the
 * others cannot be had, which is reported.
 */
export async function wholeFile(
  check: Check,
  seen: Seen,
  { external, name, signal }: Pick<CheckOptions, "external" | "name" | "signal">,
): Promise<JoinedFile | undefined | null> {
  const { superblock } = seen.head;
  const { extensionAddress = 0 } = superblock;
  const driver = seen.driver?.name;
  const one = driver !== "NCSAfami" && driver !== "NCSAmult" && extensionAddress !== NO_NUMBER;
  // The member of a multi file that tells of the others may be one of them.
  const astray = extensionAddress >= endOfFile(superblock);
  if (one && !(astray && external)) return undefined;
  if (external === undefined) {
    const message = `${driver ?? "NCSAmult"}: one of several files that make one up, of which the others were not looked at`;
    warn(check, { structure: "driver information", address: undefined, message });
    return null;
  }
  const cause = astray ? new InvalidFieldError("no superblock extension") : undefined;
  try {
    return await joinMembers({ ...seen, name, cause }, external, { signal });
  } catch (error) {
    if (!isH5Error(error, "NOT_FOUND", "INVALID_FIELD", "UNEXPECTED_EOF", "UNSUPPORTED_FEATURE")) throw error;
    if (one) return undefined;
    check.findings.push(findingOf(error, undefined));
    return null;
  }
}

/** A member that is missing has no bytes. */
async function joinMembers(
  beginning: Beginning,
  external: ExternalSources,
  options: SliceOptions,
): Promise<JoinedFile | undefined> {
  const missing = new Set<string>();
  const lenient: ExternalSources = {
    async open(name, request) {
      const file = await external.open(name, request);
      if (file === null) missing.add(name);
      return file ?? { name, source: bytesSource(new Uint8Array()) };
    },
  };
  const space = await memberSpaceOf(beginning, lenient, options);
  if (space === undefined) return undefined;
  const parts: Part[] = [];
  for await (const part of partsOf(space, beginning.head.address, options)) {
    const absent = missing.has(part.name ?? "") && part.end > part.start;
    parts.push(absent ? { ...part, ends: "missing" } : part);
  }
  return { ...space, parts };
}

/** The members by addresses that count from the superblock. */
async function* partsOf(space: MemberSpace, base: number, options: SliceOptions): AsyncGenerator<Part> {
  for (const { name, start, end, open } of space.members()) {
    const source = (await open(options)) ?? bytesSource(new Uint8Array());
    yield await partIn(source, { name, start: Math.max(0, start - base), end: end - base }, start - base, options);
  }
}
