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

/** Header of a free-space manager, which keeps the free space of a file or of a fractal heap. */
interface FreeSpaceHeader {
  /** 0 fractal heap, 1 file. */
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
  if (client > 1) reader.fail(`expected client 0 or 1, got ${client}`, 5);
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

/** A run of free bytes. */
interface Section {
  readonly address: number;
  readonly size: number;
}

/*
 * Free-space section list (spec III.H)
 *
 *   0  4  "FSSE"
 *   4  1  version, 0
 *   5  O  address of the header
 *         for each size: number of sections, size; for each section: address, 1 type, what its type has besides
 *      4  checksum, at the end of the bytes in use
 */

/** The sections of a file's manager, whose types have nothing besides. */
function decodeSections(bytes: Uint8Array, header: FreeSpaceHeader, owner: number, widths: Widths): Section[] {
  const reader = new ByteReader(bytes.subarray(0, bytes.length - 4), SECTIONS, header.listAddress);
  reader.signature("FSSE");
  verifyChecksum(bytes, bytes.length - 4, SECTIONS, header.listAddress);
  decodeVersion(reader, 0);
  const named = reader.definedOffset(widths, "header address");
  if (named !== owner) reader.fail(`expected the header address ${owner}, got ${named}`, 5);
  const sections: Section[] = [];
  while (header.client === 1 && sections.length < header.stored) {
    const count = reader.uint(bytesFor(header.stored), "number of sections");
    const size = reader.uint(header.sizeWidth, "section size");
    if (count === 0) reader.fail("a size without sections");
    for (let i = 0; i < count; i++) {
      sections.push({ address: reader.uint(Math.ceil(header.addressBits / 8), "section address"), size });
      reader.skip(1);
    }
  }
  return sections;
}

/** Checks a free-space manager and its list; the sections of a file's manager are space that is not lost. */
export function* checkFreeSpace(check: Check, address: number, path: string | undefined): Plan<void> {
  yield* guard(check, path, checkManager(check, address, path));
}

function* checkManager(check: Check, address: number, path: string | undefined): Plan<void> {
  const size = sizeOfHeader(check);
  if (!check.space.claim(HEADER, address, size, path)) return;
  const header = decodeHeader(yield* read(check, HEADER, address, size), check, address);
  const { listAddress, listSize, allocatedSize, client, totalSpace } = header;
  if (listAddress === undefined) return;
  if (!check.space.claim(SECTIONS, listAddress, allocatedSize, path)) return;
  const bytes = yield* read(check, SECTIONS, listAddress, listSize);
  if (listSize < 4) throw new InvalidFieldError(`a list of ${listSize} bytes`, { structure: HEADER, address });
  const sections = decodeSections(bytes, header, address, check);
  for (const section of sections) check.space.claim("free space", section.address, section.size, path);
  const total = sections.reduce((sum, section) => sum + section.size, 0);
  if (client === 1 && total !== totalSpace) {
    throw new InvalidFieldError(`expected ${totalSpace} bytes of free space, got ${total}`, {
      structure: HEADER,
      address,
    });
  }
}
