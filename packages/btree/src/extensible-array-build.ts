import { type ExtensibleArrayParameters, type FileSpace, place } from "@h5/framing";
import type { SlotElement } from "./array-block.ts";
import { checkSlots, elementRun, isAnySet, putPages, sizeOfPages } from "./array-build.ts";
import type { ElementForm } from "./chunk-element.ts";
import {
  dataBlockOffsets,
  type ExtensibleArray,
  encodeExtensibleArrayDataBlock,
  encodeExtensibleArrayIndexBlock,
  encodeExtensibleArraySuperBlock,
  extensibleArray,
} from "./extensible-array-blocks.ts";
import {
  type ExtensibleArrayStatistics,
  encodeExtensibleArrayHeader,
  sizeOfExtensibleArrayHeader,
} from "./extensible-array-header.ts";

const STRUCTURE = "extensible array";

/** The parameters libhdf5 gives every extensible array (H5Dpkg.h, `H5D_EARRAY_…`). */
export const extensibleArrayDefaults: ExtensibleArrayParameters = {
  maxBits: 32,
  indexElements: 4,
  minPointers: 4,
  minElements: 16,
  pageBits: 10,
};

/** What building one array takes at every block. */
interface Build {
  readonly space: FileSpace;
  readonly array: ExtensibleArray;
  readonly elements: readonly SlotElement[];
  /** What the header will say, counted while the blocks are written. */
  readonly statistics: { -readonly [Name in keyof ExtensibleArrayStatistics]: number };
}

/**
 * Writes an extensible array and gives the address of its header (spec VII.D). Blocks and pages with no element set are
 * not there; with none set at all, there is not even an index block.
 *
 * @param options - the form of the elements, and the parameters, libhdf5's where left out
 * @param elements - the chunks there are, in ascending slots
 * @throws InvalidArgumentError for slots out of order or beyond the array; InvalidFieldError for senseless parameters
 */
export function buildExtensibleArray(
  space: FileSpace,
  options: { readonly form: ElementForm; readonly parameters?: ExtensibleArrayParameters | undefined },
  elements: readonly SlotElement[],
): number {
  const { form, parameters = extensibleArrayDefaults } = options;
  checkSlots(elements, 2 ** parameters.maxBits, STRUCTURE);
  const address = space.allocate(sizeOfExtensibleArrayHeader(space));
  const statistics = {
    superBlocks: 0,
    superBlockBytes: 0,
    dataBlocks: 0,
    dataBlockBytes: 0,
    setElements: (elements.at(-1)?.slot ?? -1) + 1,
    realisedElements: 0,
  };
  const shape = { ...parameters, clientId: form.clientId, elementSize: form.size };
  const header = { ...shape, statistics, indexBlockAddress: undefined };
  const build = { space, array: extensibleArray(header, address, form), elements, statistics };
  const indexBlockAddress = elements.length === 0 ? undefined : buildIndexBlock(build);
  space.put(address, encodeExtensibleArrayHeader({ ...header, indexBlockAddress }, space));
  return address;
}

/** Writes the index block, after all blocks it points at. */
function buildIndexBlock(build: Build): number {
  const { space, array, statistics } = build;
  const { superBlocks, direct } = array.geometry;
  const { indexElements } = array.header;
  statistics.realisedElements += indexElements;
  const block = {
    elements: elementRun(build.elements, 0, indexElements),
    dataBlocks: superBlocks.slice(0, direct).flatMap((_, i) => buildDataBlocks(build, i).addresses),
    superBlocks: superBlocks.slice(direct).map((_, i) => buildSuperBlock(build, direct + i)),
  };
  return place(space, encodeExtensibleArrayIndexBlock(block, array, space));
}

/** Writes a super block, after its data blocks; without an element in any of them, there is none. */
function buildSuperBlock(build: Build, index: number): number | undefined {
  const { space, array, elements, statistics } = build;
  const geometry = array.geometry.superBlocks[index]!;
  if (!isAnySet(elements, slotOf(array, index, 0), geometry.blocks * geometry.blockElements)) return undefined;
  const { addresses, pages } = buildDataBlocks(build, index);
  const block = { offset: geometry.firstElement, pages, dataBlocks: addresses };
  const bytes = encodeExtensibleArraySuperBlock(block, array, geometry, space);
  statistics.superBlocks++;
  statistics.superBlockBytes += bytes.length;
  return place(space, bytes);
}

/** First slot of a data block. */
function slotOf({ header, geometry }: ExtensibleArray, index: number, block: number): number {
  const { firstElement, blockElements } = geometry.superBlocks[index]!;
  return header.indexElements + firstElement + block * blockElements;
}

/** Writes the data blocks of a super block; gives where they are, and which pages of them all are initialised. */
function buildDataBlocks(build: Build, index: number): { addresses: (number | undefined)[]; pages: boolean[] } {
  const { space, array, elements, statistics } = build;
  const geometry = array.geometry.superBlocks[index]!;
  const addresses: (number | undefined)[] = [];
  const pages: boolean[] = [];
  for (let i = 0; i < geometry.blocks; i++) {
    if (!isAnySet(elements, slotOf(array, index, i), geometry.blockElements)) {
      addresses.push(undefined);
      for (let page = 0; page < geometry.pages; page++) pages.push(false);
      continue;
    }
    const block = encodeDataBlock(build, index, i);
    addresses.push(place(space, block.bytes));
    pages.push(...block.pages);
    statistics.dataBlocks++;
    statistics.dataBlockBytes += block.bytes.length;
    statistics.realisedElements += geometry.blockElements;
  }
  return { addresses, pages };
}

function encodeDataBlock(
  { space, array, elements }: Build,
  index: number,
  block: number,
): { bytes: Uint8Array<ArrayBuffer>; pages: boolean[] } {
  const { form, geometry, header } = array;
  const superBlock = geometry.superBlocks[index]!;
  // What libhdf5 stores where it has a choice of two; see dataBlockOffsets.
  const offset = dataBlockOffsets(geometry, index, block).at(-1)!;
  const slots = { from: slotOf(array, index, block), count: superBlock.blockElements, pageBits: header.pageBits };
  if (superBlock.pages === 0) {
    const content = { offset, elements: elementRun(elements, slots.from, slots.count) };
    return { bytes: encodeExtensibleArrayDataBlock(content, array, superBlock, space), pages: [] };
  }
  const head = encodeExtensibleArrayDataBlock({ offset }, array, superBlock, space);
  const bytes = new Uint8Array(head.length + sizeOfPages(slots, form));
  bytes.set(head);
  return { bytes, pages: putPages(bytes, elements, slots, form, space) };
}
