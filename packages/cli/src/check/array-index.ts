import {
  type ChunkElement,
  dataBlockOffsets,
  decodeElementPage,
  decodeExtensibleArrayDataBlock,
  decodeExtensibleArrayHeader,
  decodeExtensibleArrayIndexBlock,
  decodeExtensibleArraySuperBlock,
  decodeFixedArrayBlock,
  decodeFixedArrayHeader,
  type ElementForm,
  type ExtensibleArray,
  extensibleArray,
  type FixedArrayHeader,
  sizeOfElementPage,
  sizeOfExtensibleArrayDataBlock,
  sizeOfExtensibleArrayHeader,
  sizeOfExtensibleArrayIndexBlock,
  sizeOfExtensibleArraySuperBlock,
  sizeOfFixedArrayBlock,
  sizeOfFixedArrayHeader,
} from "@h5/btree";
import { InvalidFieldError, type Plan } from "@h5/framing";
import { type Check, fault, guard, read } from "./check.ts";

const PAGE = "data block page";
const NO_CHUNK: ChunkElement = { address: undefined };

/** An array that a dataset's chunks are found by. */
export interface ArrayPlace {
  readonly address: number;
  readonly form: ElementForm;
  readonly path: string;
}

/** Checks the header and data block of a fixed array, and gives the elements that could be read. */
export function* checkFixedArray(check: Check, place: ArrayPlace, total: number): Plan<ChunkElement[]> {
  const { address, path } = place;
  const structure = "fixed array header";
  const size = sizeOfFixedArrayHeader(check);
  if (!check.space.claim(structure, address, size, path)) return [];
  const header = decodeFixedArrayHeader(yield* read(check, structure, address, size), check, address);
  checkForm(header, place, structure);
  if (header.count !== total) {
    throw new InvalidFieldError(`expected ${total} elements, got ${header.count}`, { structure, address });
  }
  return header.blockAddress === undefined ? [] : yield* readFixedBlock(check, place, header, header.blockAddress);
}

function checkForm(
  header: { readonly clientId: number; readonly elementSize: number },
  { form, address }: ArrayPlace,
  structure: string,
): void {
  if (header.clientId === form.clientId && header.elementSize === form.size) return;
  const expected = `client id ${form.clientId} and elements of ${form.size} bytes`;
  throw new InvalidFieldError(`expected ${expected}, got ${header.clientId} and ${header.elementSize}`, {
    structure,
    address,
  });
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

/** Pages one behind the other. */
interface Pages {
  readonly start: number;
  /** Elements in all of them. */
  readonly count: number;
  readonly pageBits: number;
}

function* readPages(
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

/** An extensible array, and what is found of its blocks. */
interface Walk {
  readonly check: Check;
  readonly place: ArrayPlace;
  readonly array: ExtensibleArray;
  readonly found: { readonly slot: number; readonly element: ChunkElement }[];
  superBlocks: number;
  dataBlocks: number;
  whole: boolean;
}

/** Checks the header and blocks of an extensible array, and gives the elements that could be read. */
export function* checkExtensibleArray(check: Check, place: ArrayPlace): Plan<ChunkElement[]> {
  const { address, path, form } = place;
  const structure = "extensible array header";
  const size = sizeOfExtensibleArrayHeader(check);
  if (!check.space.claim(structure, address, size, path)) return [];
  const header = decodeExtensibleArrayHeader(yield* read(check, structure, address, size), check, address);
  checkForm(header, place, structure);
  if (header.indexBlockAddress === undefined) return [];
  const array = extensibleArray(header, address, form);
  const walk: Walk = { check, place, array, found: [], superBlocks: 0, dataBlocks: 0, whole: true };
  yield* readIndexBlock(walk, header.indexBlockAddress);
  const { superBlocks, dataBlocks } = header.statistics;
  if (walk.whole && (walk.superBlocks !== superBlocks || walk.dataBlocks !== dataBlocks)) {
    const message = `expected ${superBlocks} super blocks and ${dataBlocks} data blocks, got ${walk.superBlocks} and ${walk.dataBlocks}`;
    fault(check, { structure, address, path, message });
  }
  // What lies beyond the highest element ever set is room, whatever its bytes.
  return walk.found.filter(({ slot }) => slot < header.statistics.setElements).map(({ element }) => element);
}

function* readIndexBlock(walk: Walk, address: number): Plan<void> {
  const { check, place, array, found } = walk;
  const structure = "extensible array index block";
  const size = sizeOfExtensibleArrayIndexBlock(array, check);
  if (!check.space.claim(structure, address, size, place.path)) return;
  const bytes = yield* read(check, structure, address, size);
  const block = decodeExtensibleArrayIndexBlock(bytes, array, check, address);
  for (const [slot, element] of block.elements.entries()) found.push({ slot, element });
  const { superBlocks, direct } = array.geometry;
  for (const [i, { blocks, firstBlock }] of superBlocks.slice(0, direct).entries()) {
    yield* readDataBlocks(walk, i, block.dataBlocks.slice(firstBlock, firstBlock + blocks), []);
  }
  for (const [i, at] of block.superBlocks.entries()) {
    if (at !== undefined) yield* checked(walk, readSuperBlock(walk, at, direct + i));
  }
}

/** Runs a plan whose failure leaves the walk with less than all blocks. */
function* checked(walk: Walk, plan: Plan<true>): Plan<void> {
  if ((yield* guard(walk.check, walk.place.path, plan)) === undefined) walk.whole = false;
}

function* readSuperBlock(walk: Walk, address: number, index: number): Plan<true> {
  const { check, place, array } = walk;
  const structure = "extensible array super block";
  const geometry = array.geometry.superBlocks[index]!;
  const size = sizeOfExtensibleArraySuperBlock(array, geometry, check);
  walk.superBlocks++;
  if (!check.space.claim(structure, address, size, place.path)) return true;
  const bytes = yield* read(check, structure, address, size);
  const { dataBlocks, pages } = decodeExtensibleArraySuperBlock(bytes, array, geometry, check, address);
  yield* readDataBlocks(walk, index, dataBlocks, pages);
  return true;
}

function* readDataBlocks(
  walk: Walk,
  superBlock: number,
  addresses: readonly (number | undefined)[],
  flags: readonly boolean[],
): Plan<void> {
  const { pages } = walk.array.geometry.superBlocks[superBlock]!;
  for (const [block, address] of addresses.entries()) {
    if (address === undefined) continue;
    walk.dataBlocks++;
    const initialised = flags.slice(block * pages, (block + 1) * pages);
    yield* checked(walk, readDataBlock(walk, address, superBlock, block, initialised));
  }
}

function* readDataBlock(
  { check, place, array, found }: Walk,
  address: number,
  superBlock: number,
  block: number,
  initialised: readonly boolean[],
): Plan<true> {
  const structure = "extensible array data block";
  const geometry = array.geometry.superBlocks[superBlock]!;
  const size = sizeOfExtensibleArrayDataBlock(array, geometry, check);
  if (!check.space.claim(structure, address, size, place.path)) return true;
  const bytes = yield* read(check, structure, address, size);
  const offsets = dataBlockOffsets(array.geometry, superBlock, block);
  const { elements } = decodeExtensibleArrayDataBlock(bytes, array, geometry, offsets, check, address);
  const { pageBits } = array.header;
  const pages = { start: address + size, count: geometry.blockElements, pageBits };
  const first = array.header.indexElements + geometry.firstElement + block * geometry.blockElements;
  const held = elements ?? (yield* readPages(check, place, pages, initialised));
  for (const [i, element] of held.entries()) found.push({ slot: first + i, element });
  return true;
}
