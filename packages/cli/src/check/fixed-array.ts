import {
  type ChunkElement,
  checkElementForm,
  decodeFixedArrayBlock,
  decodeFixedArrayHeader,
  type FixedArrayHeader,
  sizeOfFixedArrayBlock,
  sizeOfFixedArrayHeader,
} from "@h5/btree";
import { InvalidFieldError, type Plan } from "@h5/framing";
import { type ArrayPlace, readPages } from "./array-pages.ts";
import { type Check, read } from "./check.ts";

/** Checks the header and data block of a fixed array, and gives the elements that could be read. */
export function* checkFixedArray(check: Check, place: ArrayPlace, total: number): Plan<ChunkElement[]> {
  const { address, path } = place;
  const structure = "fixed array header";
  const size = sizeOfFixedArrayHeader(check);
  if (!check.space.claim(structure, address, size, path)) return [];
  const header = decodeFixedArrayHeader(yield* read(check, structure, address, size), check, address);
  checkElementForm(header, place, structure);
  if (header.count !== total) {
    throw new InvalidFieldError(`expected ${total} elements, got ${header.count}`, { structure, address });
  }
  return header.blockAddress === undefined ? [] : yield* readFixedBlock(check, place, header, header.blockAddress);
}

function* readFixedBlock(
  check: Check,
  place: ArrayPlace,
  header: FixedArrayHeader,
  address: number,
): Plan<ChunkElement[]> {
  const structure = "fixed array data block";
  const size = sizeOfFixedArrayBlock(header, check);
  if (!check.space.claim(structure, address, size, place.path)) return [];
  const bytes = yield* read(check, structure, address, size);
  const { elements, pages } = decodeFixedArrayBlock(bytes, header, place.address, place.form, check, address);
  return elements === undefined
    ? yield* readPages(check, place, { ...header, start: address + size }, pages ?? [])
    : [...elements];
}
