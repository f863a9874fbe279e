import { type ExtensibleArrayParameters, InvalidFieldError, log2Floor } from "@h5/framing";

/** One super block: a run of equal data blocks. */
export interface SuperBlockGeometry {
  /** Number of data blocks. */
  readonly blocks: number;
  /** Elements of each data block. */
  readonly blockElements: number;
  /** Pages of each data block; 0 where they are not paged. */
  readonly pages: number;
  /** First element, counted from the end of the index block's own: the "block offset" that blocks store. */
  readonly firstElement: number;
  /** Number, over all super blocks, of the first data block. */
  readonly firstBlock: number;
}

/** The whole array, as it follows from its parameters. */
export interface ExtensibleArrayGeometry {
  /**
   * All super blocks. Super block i has 2^floor(i/2) data blocks of 2^ceil(i/2) times the least elements each, so that
   * each is about twice the one before.
   */
  readonly superBlocks: readonly SuperBlockGeometry[];
  /** Super blocks without a block of their own: their data blocks' addresses are in the index block. */
  readonly direct: number;
  /** Data block addresses in the index block. */
  readonly directBlocks: number;
  /** Bytes of a block offset. */
  readonly offsetWidth: number;
}

/**
 * Computes an array's geometry (H5EAhdr.c `H5EA__hdr_init`, H5EAiblock.c).
 *
 * @throws InvalidFieldError for parameters that libhdf5 does not make and that leave the geometry undefined
 */
export function extensibleArrayGeometry(
  parameters: ExtensibleArrayParameters,
  address?: number,
): ExtensibleArrayGeometry {
  const { maxBits, minElements, minPointers, pageBits } = parameters;
  const direct = 2 * log2Floor(Math.max(1, minPointers));
  const count = 1 + maxBits - log2Floor(Math.max(1, minElements));
  const valid = maxBits >= 1 && maxBits <= 64 && isPowerOfTwo(minElements) && isPowerOfTwo(minPointers);
  if (!valid || minPointers < 2 || count < direct || largestDirect(direct, minElements) > 2 ** pageBits) {
    throw new InvalidFieldError(`no array has the parameters ${JSON.stringify(parameters)}`, {
      structure: "extensible array header",
      address,
    });
  }
  const superBlocks: SuperBlockGeometry[] = [];
  let firstElement = 0;
  let firstBlock = 0;
  for (let i = 0; i < count; i++) {
    const blocks = 2 ** Math.floor(i / 2);
    const blockElements = elementsOfBlock(i, minElements);
    const pages = blockElements > 2 ** pageBits ? blockElements / 2 ** pageBits : 0;
    superBlocks.push({ blocks, blockElements, pages, firstElement, firstBlock });
    firstElement += blocks * blockElements;
    firstBlock += blocks;
  }
  return { superBlocks, direct, directBlocks: 2 * (minPointers - 1), offsetWidth: Math.ceil(maxBits / 8) };
}

function elementsOfBlock(superBlock: number, minElements: number): number {
  return 2 ** Math.ceil(superBlock / 2) * minElements;
}

/** Data blocks that the index block points at are never paged: nothing could say which pages are initialised. */
function largestDirect(direct: number, minElements: number): number {
  return elementsOfBlock(direct - 1, minElements);
}

function isPowerOfTwo(value: number): boolean {
  return value >= 1 && 2 ** log2Floor(value) === value;
}
