import { type ChunkElement, decodeElementPage, type ElementForm, sizeOfElementPage } from "@h5/btree";
import type { Plan } from "@h5/framing";
import { type Check, guard, read } from "./check.ts";

const PAGE = "data block page";
const NO_CHUNK: ChunkElement = { address: undefined };

/** An array that a dataset's chunks are found by. */
export interface ArrayPlace {
  readonly address: number;
  readonly form: ElementForm;
  readonly path: string;
}

/** Pages one behind the other. */
export interface Pages {
  readonly start: number;
  /** Elements in all of them. */
  readonly count: number;
  readonly pageBits: number;
}

/** The elements of pages; of one that cannot be read, or was never written, elements without a chunk. */
export function* readPages(
  check: Check,
  { form, path }: ArrayPlace,
  { start, count, pageBits }: Pages,
  initialised: readonly boolean[],
): Plan<ChunkElement[]> {
  const found: ChunkElement[] = [];
  const most = 2 ** pageBits;
  const stride = sizeOfElementPage(most, form);
  for (const [page, has] of initialised.entries()) {
    const held = Math.min(most, count - page * most);
    const address = start + page * stride;
    const size = sizeOfElementPage(held, form);
    const read = check.space.claim(PAGE, address, size, path) && has;
    const elements = read ? yield* guard(check, path, readPage(check, form, address, held)) : undefined;
    for (let i = 0; i < held; i++) found.push(elements?.[i] ?? NO_CHUNK);
  }
  return found;
}

function* readPage(check: Check, form: ElementForm, address: number, count: number): Plan<ChunkElement[]> {
  const bytes = yield* read(check, PAGE, address, sizeOfElementPage(count, form));
  return decodeElementPage(bytes, count, form, check, address);
}
