import {
  appendChecksum,
  ByteReader,
  ByteWriter,
  decodeVersion,
  type ExtensibleArrayParameters,
  verifyChecksum,
  type Widths,
} from "@h5/framing";

const HEADER = "extensible array header";

/** The header of an extensible array, the index of a dataset with one unlimited dimension. */
export interface ExtensibleArrayHeader extends ExtensibleArrayParameters {
  /** 0 unfiltered chunks, 1 filtered chunks. */
  readonly clientId: number;
  /** Bytes of an element. */
  readonly elementSize: number;
  /** Statistics, of which only `setElements` tells a reader something. */
  readonly statistics: ExtensibleArrayStatistics;
  /** Address of the index block; undefined while nothing is allocated. */
  readonly indexBlockAddress: number | undefined;
}

/** What the header counts. */
export interface ExtensibleArrayStatistics {
  readonly superBlocks: number;
  readonly superBlockBytes: number;
  readonly dataBlocks: number;
  readonly dataBlockBytes: number;
  /** One more than the highest element ever set. */
  readonly setElements: number;
  /** Elements that have room in the file. */
  readonly realisedElements: number;
}

/** Bytes of an extensible array's header. */
export function sizeOfExtensibleArrayHeader(widths: Widths): number {
  return 16 + 6 * widths.lengthSize + widths.offsetSize;
}

/*
 * Extensible array header (spec VII.D)
 *
 *   0  4  "EAHD"
 *   4  1  version, 0
 *   5  1  client id
 *   6  1  element size
 *   7  1  maximum number of elements, as its logarithm
 *   8  1  elements in the index block
 *   9  1  elements of the smallest data block
 *  10  1  data blocks of the smallest super block with an address in the index block
 *  11  1  page bits
 *  12  L  super blocks; L their bytes; L data blocks; L their bytes; L elements set; L elements realised
 *      O  index block address
 *      4  checksum
 */

/**
 * Decodes an extensible array's header.
 *
 * @throws InvalidFieldError, UnexpectedEofError
 */
export function decodeExtensibleArrayHeader(
  bytes: Uint8Array,
  widths: Widths,
  address?: number,
): ExtensibleArrayHeader {
  const reader = new ByteReader(bytes, HEADER, address);
  reader.signature("EAHD");
  verifyChecksum(bytes, sizeOfExtensibleArrayHeader(widths) - 4, HEADER, address);
  decodeVersion(reader, 0);
  const clientId = reader.u8();
  if (clientId > 1) reader.fail(`expected client id 0 or 1, got ${clientId}`, 5);
  return {
    clientId,
    elementSize: reader.u8(),
    maxBits: reader.u8(),
    indexElements: reader.u8(),
    minElements: reader.u8(),
    minPointers: reader.u8(),
    pageBits: reader.u8(),
    statistics: {
      superBlocks: reader.lengthField(widths, "number of super blocks"),
      superBlockBytes: reader.lengthField(widths, "size of the super blocks"),
      dataBlocks: reader.lengthField(widths, "number of data blocks"),
      dataBlockBytes: reader.lengthField(widths, "size of the data blocks"),
      setElements: reader.lengthField(widths, "number of elements set"),
      realisedElements: reader.lengthField(widths, "number of elements realised"),
    },
    indexBlockAddress: reader.offsetField(widths, "index block address"),
  };
}

/** Encodes an extensible array's header. */
export function encodeExtensibleArrayHeader(header: ExtensibleArrayHeader, widths: Widths): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(sizeOfExtensibleArrayHeader(widths), HEADER);
  writer.ascii("EAHD");
  writer.u8(0);
  writer.u8(header.clientId);
  writer.u8(header.elementSize);
  writer.u8(header.maxBits);
  writer.u8(header.indexElements);
  writer.u8(header.minElements);
  writer.u8(header.minPointers);
  writer.u8(header.pageBits);
  const { superBlocks, superBlockBytes, dataBlocks, dataBlockBytes, setElements, realisedElements } = header.statistics;
  for (const count of [superBlocks, superBlockBytes, dataBlocks, dataBlockBytes, setElements, realisedElements]) {
    writer.lengthField(count, widths);
  }
  writer.offsetField(header.indexBlockAddress, widths);
  appendChecksum(writer);
  return writer.finish();
}
