import {
  ByteReader,
  bytesFor,
  decodeVersion,
  InvalidFieldError,
  type Plan,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import { type Check, guard, read } from "./check.ts";

const HEADER = "free-space manager header";
const SECTIONS = "free-space section list";
/** Clients of a manager. */
const HEAP = 0;
const FILE = 1;

/** Header of a free-space manager, which keeps the free space of a file or of a fractal heap. */
interface FreeSpaceHeader {
  /** Whose free space it is. */
  readonly client: number;
  /** Bytes of all sections. */
  readonly totalSpace: number;
  /** Sections in the list. */
  readonly stored: number;
  /** Log2 of the address space. */
  readonly addressBits: number;
  /** Bytes of a section's size. */
  readonly sizeWidth: number;
  readonly listAddress: number | undefined;
  readonly listSize: number;
  readonly allocatedSize: number;
}

function sizeOfHeader({ offsetSize, lengthSize }: Widths): number {
  return 18 + 7 * lengthSize + offsetSize;
}

/*
 * Free-space manager header (spec III.H)
 *
 *   0  4  "FSHD"
 *   4  1  version, 0
 *   5  1  client, 0 fractal heap or 1 file
 *   6  L  total space;  L  sections;  L  sections in the list;  L  sections that are not
 *      2  section classes;  2  shrink percent;  2  expand percent;  2  size of the address space, its logarithm
 *      L  largest section;  O  address of the list;  L  bytes of it in use;  L  bytes allocated for it
 *      4  checksum
 */

function decodeHeader(bytes: Uint8Array, widths: Widths, address: number): FreeSpaceHeader {
  const reader = new ByteReader(bytes, HEADER, address);
  reader.signature("FSHD");
  verifyChecksum(bytes, sizeOfHeader(widths) - 4, HEADER, address);
  decodeVersion(reader, 0);
  const client = reader.u8();
  if (client > FILE) reader.fail(`expected client 0 or 1, got ${client}`, 5);
  const totalSpace = reader.lengthField(widths, "total space");
  reader.lengthField(widths, "number of sections");
  const stored = reader.lengthField(widths, "number of sections in the list");
  reader.skip(widths.lengthSize + 6);
  const addressBits = reader.u16();
  // Often more than a number can say.
  const largest = reader.take(widths.lengthSize);
  const sizeWidth = Math.max(
    1,
    largest.reduce((width, byte, i) => (byte === 0 ? width : i + 1), 0),
  );
  const listAddress = reader.offsetField(widths, "section list address");
  const listSize = reader.lengthField(widths, "size of the section list");
  const allocatedSize = reader.lengthField(widths, "allocated size of the section list");
  if (listAddress === undefined && stored > 0) reader.fail(`${stored} sections, but no list of them`);
  if (listSize > allocatedSize) reader.fail(`a list of ${listSize} bytes in ${allocatedSize}`);
  return { client, totalSpace, stored, addressBits, sizeWidth, listAddress, listSize, allocatedSize };
}

/** A run of free bytes, by its address in the file or its offset in the heap. */
export interface FreeSection {
  readonly offset: number;
  readonly size: number;
}

interface Section extends FreeSection {
  readonly type: number;
}

/** Types of a heap's sections: bytes of a direct block; rows of blocks yet to be made (H5HFpkg.h). */
const SINGLE = 0;
const FIRST_ROW = 1;

/*
 * Free-space section list (spec III.H)
 *
 *   0  4  "FSSE"
 *   4  1  version, 0
 *   5  O  address of the header
 *         for each size: number of sections, size; for each section: address, 1 type, what its type has besides
 *      4  checksum, at the end of the bytes in use
 */

/** Decodes the list of the manager at `owner`; a heap's sections that are rows have `rowBytes` besides. */
function decodeSections(
  bytes: Uint8Array,
  header: FreeSpaceHeader,
  { owner, rowBytes, widths }: { readonly owner: number; readonly rowBytes: number; readonly widths: Widths },
): Section[] {
  const reader = new ByteReader(bytes.subarray(0, bytes.length - 4), SECTIONS, header.listAddress);
  reader.signature("FSSE");
  verifyChecksum(bytes, bytes.length - 4, SECTIONS, header.listAddress);
  decodeVersion(reader, 0);
  const named = reader.definedOffset(widths, "header address");
  if (named !== owner) reader.fail(`expected the header address ${owner}, got ${named}`, 5);
  const sections: Section[] = [];
  while (sections.length < header.stored) {
    const count = reader.uint(bytesFor(header.stored), "number of sections");
    const size = reader.uint(header.sizeWidth, "section size");
    if (count === 0) reader.fail("a size without sections");
    for (let i = 0; i < count; i++) {
      const offset = reader.uint(Math.ceil(header.addressBits / 8), "section address");
      const type = reader.u8();
      if (header.client === HEAP && type === FIRST_ROW) reader.skip(rowBytes);
      sections.push({ offset, size, type });
    }
  }
  return sections;
}

/** Checks a file's free-space manager and its list: what it says is free is space that is not lost. */
export function* checkFreeSpace(check: Check, address: number): Plan<void> {
  const sections = yield* guard(check, undefined, checkManager(check, address, FILE, { rowBytes: 0 }));
  for (const { offset, size } of sections ?? []) check.space.claim("free space", offset, size, undefined);
}

/** Checks a heap's free-space manager and its list, and gives what is free in direct blocks. */
export function* checkHeapFreeSpace(
  check: Check,
  address: number,
  offsetWidth: number,
  path: string,
): Plan<FreeSection[] | undefined> {
  // A row is told by its indirect block's offset, a row, a column and a number of blocks (H5HFsection.c).
  const plan = checkManager(check, address, HEAP, { rowBytes: offsetWidth + 6, path });
  return (yield* guard(check, path, plan))?.filter(({ type }) => type === SINGLE);
}

function* checkManager(
  check: Check,
  address: number,
  client: number,
  { rowBytes, path }: { readonly rowBytes: number; readonly path?: string },
): Plan<Section[] | undefined> {
  const size = sizeOfHeader(check);
  if (!check.space.claim(HEADER, address, size, path)) return undefined;
  const header = decodeHeader(yield* read(check, HEADER, address, size), check, address);
  const place = { structure: HEADER, address };
  if (header.client !== client) throw new InvalidFieldError(`expected client ${client}, got ${header.client}`, place);
  const { listAddress, listSize, allocatedSize, totalSpace } = header;
  if (listAddress === undefined) return [];
  if (!check.space.claim(SECTIONS, listAddress, allocatedSize, path)) return undefined;
  const bytes = yield* read(check, SECTIONS, listAddress, listSize);
  if (listSize < 4) throw new InvalidFieldError(`a list of ${listSize} bytes`, place);
  const sections = decodeSections(bytes, header, { owner: address, rowBytes, widths: check });
  const total = sections.reduce((sum, section) => sum + section.size, 0);
  if (client === FILE ? total !== totalSpace : total > totalSpace) {
    throw new InvalidFieldError(`expected ${totalSpace} bytes of free space, got ${total}`, place);
  }
  return sections;
}
