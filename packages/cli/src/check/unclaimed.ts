import { attempt, type Plan } from "@h5/framing";
import { readGlobalHeapCollection } from "@h5/heap";
import { type Check, spend, warn } from "./check.ts";
import type { Region } from "./parts.ts";

/** Bytes that several structures claim, or none. */
export function* checkSpace(check: Check, regions: readonly Region[]): Plan<void> {
  const { space, findings } = check;
  for (const finding of space.conflicts(regions)) findings.push(finding);
  // They may follow what is before them, or begin at the next multiple of 8.
  for (const multiple of check.heapDataSkipped ? [1, 8] : []) {
    for (const { start, end } of [...space.gaps(regions)]) {
      yield* claimCollections(check, Math.ceil(start / multiple) * multiple, end);
    }
  }
  for (const { start, end } of space.gaps(regions)) {
    const message = `${end - start} bytes, up to ${end}, belong to no structure`;
    warn(check, { structure: "unused space", address: start, message });
  }
}

/** Claims the global heap collections from `start` on, before `end`: those of elements that were not read. */
function* claimCollections(check: Check, start: number, end: number): Plan<void> {
  for (let at = start; at < end; ) {
    const { value } = yield* attempt(readGlobalHeapCollection(check, at));
    if (value === undefined) return;
    spend(check, value.size, "global heap collection", at);
    check.space.claim("global heap collection", at, value.size, undefined);
    at += value.size;
  }
}
