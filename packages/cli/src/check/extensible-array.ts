import {
  type ChunkElement,
  checkElementForm,
  dataBlockOffsets,
  decodeExtensibleArrayDataBlock,
  decodeExtensibleArrayHeader,
  decodeExtensibleArrayIndexBlock,
  decodeExtensibleArraySuperBlock,
  type ExtensibleArray,
  extensibleArray,
  sizeOfExtensibleArrayDataBlock,
  sizeOfExtensibleArrayHeader,
  sizeOfExtensibleArrayIndexBlock,
  sizeOfExtensibleArraySuperBlock,
} from "@h5/btree";
import type { Plan } from "@h5/framing";
import { type ArrayPlace, readPages } from "./array-pages.ts";
import { type Check, fault, guard, read } from "./check.ts";

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
  checkElementForm(header, place, structure);
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
