import { checkLimit, type FileContext, inAddressOrder, need, type Plan, visitOnce } from "@h5/framing";
import {
  type ArrayIndex,
  checkElementForm,
  type ElementRun,
  readPages,
  type SlotElement,
  wantedElements,
} from "./array-block.ts";
import { touches } from "./chunk-slots.ts";
import {
  dataBlockOffsets,
  decodeExtensibleArrayDataBlock,
  decodeExtensibleArrayIndexBlock,
  decodeExtensibleArraySuperBlock,
  type ExtensibleArray,
  type ExtensibleArrayIndexBlock,
  extensibleArray,
  sizeOfExtensibleArrayDataBlock,
  sizeOfExtensibleArrayIndexBlock,
  sizeOfExtensibleArraySuperBlock,
} from "./extensible-array-blocks.ts";
import { decodeExtensibleArrayHeader, sizeOfExtensibleArrayHeader } from "./extensible-array-header.ts";

/** A walk over one array. */
interface Walk {
  readonly context: FileContext;
  readonly index: ArrayIndex;
  readonly array: ExtensibleArray;
  readonly visited: Set<number>;
}

/** A data block to be read. */
interface DataBlockPlace {
  readonly address: number;
  /** Number of the super block it belongs to. */
  readonly superBlock: number;
  /** Number in that super block. */
  readonly block: number;
  /** Whether each of its pages is initialised; empty where it is not paged. */
  readonly pages: readonly boolean[];
}

/** The elements of the wanted slots; only blocks and pages that hold some are read, a batch for each kind of block. */
export function* readExtensibleArray(context: FileContext, index: ArrayIndex): Plan<SlotElement[]> {
  const structure = "extensible array header";
  const head = yield* need(structure, index.address, sizeOfExtensibleArrayHeader(context));
  const header = decodeExtensibleArrayHeader(head, context, index.address);
  checkElementForm(header, index, structure);
  if (header.indexBlockAddress === undefined) return [];
  const array = extensibleArray(header, index.address, index.form);
  const walk: Walk = { context, index, array, visited: new Set() };
  const root = yield* readIndexBlock(walk, header.indexBlockAddress);
  const places = [...directPlaces(walk, root), ...(yield* indirectPlaces(walk, root))];
  for (const { address } of places) visitOnce(walk.visited, address, "extensible array data block", context.limits);
  const parts = yield* inAddressOrder(
    places,
    ({ address }) => address,
    (place) => readDataBlock(walk, place),
  );
  const found = [...wantedElements(root.elements, 0, index.slots), ...parts.flat()];
  // What lies beyond the highest element ever set is room, whatever its bytes.
  return found.filter(({ slot }) => slot < header.statistics.setElements);
}

function* readIndexBlock({ context, array }: Walk, address: number): Plan<ExtensibleArrayIndexBlock> {
  const bytes = yield* need("extensible array index block", address, sizeOfExtensibleArrayIndexBlock(array, context));
  return decodeExtensibleArrayIndexBlock(bytes, array, context, address);
}

/** First slot of a data block, and the one behind its last. */
function slotsOf(
  { header, geometry }: ExtensibleArray,
  superBlock: number,
  block: number,
  blocks: number = 1,
): [number, number] {
  const { firstElement, blockElements } = geometry.superBlocks[superBlock]!;
  const first = header.indexElements + firstElement + block * blockElements;
  return [first, first + blocks * blockElements];
}

function directPlaces(walk: Walk, root: ExtensibleArrayIndexBlock): DataBlockPlace[] {
  const { geometry } = walk.array;
  return geometry.superBlocks
    .slice(0, geometry.direct)
    .flatMap(({ blocks, firstBlock }, i) =>
      dataBlockPlaces(walk, i, root.dataBlocks.slice(firstBlock, firstBlock + blocks), []),
    );
}

/** The data blocks of one super block that are allocated and hold wanted slots. */
function dataBlockPlaces(
  { index, array }: Walk,
  superBlock: number,
  addresses: readonly (number | undefined)[],
  flags: readonly boolean[],
): DataBlockPlace[] {
  const { pages } = array.geometry.superBlocks[superBlock]!;
  const places: DataBlockPlace[] = [];
  addresses.forEach((address, block) => {
    if (address === undefined || !touches(index.slots, ...slotsOf(array, superBlock, block))) return;
    places.push({ address, superBlock, block, pages: flags.slice(block * pages, (block + 1) * pages) });
  });
  return places;
}

function* indirectPlaces(walk: Walk, root: ExtensibleArrayIndexBlock): Plan<DataBlockPlace[]> {
  const { context, index, array, visited } = walk;
  const { superBlocks, direct } = array.geometry;
  const wanted: { readonly address: number; readonly superBlock: number }[] = [];
  root.superBlocks.forEach((address, i) => {
    const superBlock = direct + i;
    if (address === undefined) return;
    if (!touches(index.slots, ...slotsOf(array, superBlock, 0, superBlocks[superBlock]!.blocks))) return;
    visitOnce(visited, address, "extensible array super block", context.limits);
    wanted.push({ address, superBlock });
  });
  const parts = yield* inAddressOrder(
    wanted,
    ({ address }) => address,
    ({ address, superBlock }) => readSuperBlock(walk, address, superBlock),
  );
  return parts.flat();
}

function* readSuperBlock(walk: Walk, address: number, superBlock: number): Plan<DataBlockPlace[]> {
  const { context, array } = walk;
  const structure = "extensible array super block";
  const geometry = array.geometry.superBlocks[superBlock]!;
  const size = sizeOfExtensibleArraySuperBlock(array, geometry, context);
  checkLimit(context.limits, "metadataBytes", size, { structure, address });
  const bytes = yield* need(structure, address, size);
  const { dataBlocks, pages } = decodeExtensibleArraySuperBlock(bytes, array, geometry, context, address);
  return dataBlockPlaces(walk, superBlock, dataBlocks, pages);
}

function* readDataBlock({ context, index, array }: Walk, place: DataBlockPlace): Plan<SlotElement[]> {
  const { address, superBlock, block, pages } = place;
  const structure = "extensible array data block";
  const geometry = array.geometry.superBlocks[superBlock]!;
  const size = sizeOfExtensibleArrayDataBlock(array, geometry, context);
  checkLimit(context.limits, "metadataBytes", size, { structure, address });
  const bytes = yield* need(structure, address, size);
  const offsets = dataBlockOffsets(array.geometry, superBlock, block);
  const { elements } = decodeExtensibleArrayDataBlock(bytes, array, geometry, offsets, context, address);
  const [first] = slotsOf(array, superBlock, block);
  if (elements !== undefined) return wantedElements(elements, first, index.slots);
  return yield* readPages(context, index, initialisedPages(array, address + size, first, pages));
}

function initialisedPages(
  { header }: ExtensibleArray,
  start: number,
  first: number,
  flags: readonly boolean[],
): ElementRun[] {
  const count = 2 ** header.pageBits;
  const stride = count * header.elementSize + 4;
  const runs: ElementRun[] = [];
  flags.forEach((initialised, page) => {
    if (initialised) runs.push({ address: start + page * stride, first: first + page * count, count });
  });
  return runs;
}
