import { UnsupportedFeatureError } from "@h5/framing";
import { BitReader } from "./bit-reader.ts";
import { type DecodeOptions, filterPlace, grownOutput, outputOf, type SyncDecoder } from "./filter.ts";
import { corrupt } from "./lz-copy.ts";

/**
 * Undoes the bzip2 filter, id 307: one bzip2 stream, bits from the highest on. The parameter, the block size in units of
 * 100000 bytes, stands in the stream too. What follows the stream is not looked at, as the registered plugin does.
 *
 *     "BZh" '1'…'9'                  each block up to so many times 100000 bytes
 *     31 41 59 26 53 59  CRC  …      blocks, see below
 *     17 72 45 38 50 90  CRC         the end; this CRC is over those of the blocks
 *
 * Written here, since the libraries there are need Node's `Buffer`, or check neither the CRC of the stream nor how much
 * comes out of it.
 *
 * @throws InvalidFieldError for a corrupt or truncated stream, and one whose CRCs do not fit what comes out of it;
 * LimitExceededError once more than `maxBytes` come out; UnsupportedFeatureError for the randomised blocks of bzip2 before
 * 0.9.5
 */
export const bzip2Decoder: SyncDecoder = { id: 307, name: "bzip2", decode, decodeSync: decode };

/** Throws for a stream that cannot be undone. */
type Fail = (reason: string) => never;

function decode(bytes: Uint8Array, _params: readonly number[], options: DecodeOptions): Uint8Array {
  const fail: Fail = (reason) => {
    throw corrupt("bzip2", reason, options);
  };
  const bits = new BitReader(bytes, 0, () => fail("it goes on past the end of the chunk"));
  const level = bits.read(32) - 0x425a6830;
  if (level < 1 || level > 9) fail('it does not begin with "BZh" and a digit');
  const output = new Output(bytes.length, options);
  let streamCrc = 0;
  for (;;) {
    const [high, low, crc] = [bits.read(24), bits.read(24), bits.read(32)];
    if (high === 0x177245 && low === 0x385090) {
      if (streamCrc !== crc) fail("the CRC of the stream does not fit");
      return output.bytes();
    }
    if (high !== 0x314159 || low !== 0x265359) fail("neither a block nor the end follows");
    if (bits.read(1) === 1) throw new UnsupportedFeatureError("randomised bzip2 blocks", filterPlace("bzip2", options));
    output.putBlock(readBlock(bits, level * 100000, fail));
    if (output.crc !== crc) fail("the CRC of a block does not fit");
    streamCrc = (((streamCrc << 1) | (streamCrc >>> 31)) ^ crc) >>> 0;
  }
}

/** The last column of the sorted rotations of a block. */
interface SortedBlock {
  /** One byte each; room for the 24 bits above it. */
  readonly column: Uint32Array;
  /** The row that is the block itself. */
  readonly origin: number;
}

/** Symbols of one table, then comes the next selector's. */
const GROUP = 50;

/**
 * Reads a block after its CRC and the flag of randomised ones: 24 bits row of the block itself, the bytes that occur, the
 * tables, and Huffman codes of symbols that say how often the byte in front comes, or which comes to the front.
 */
function readBlock(bits: BitReader, most: number, fail: Fail): SortedBlock {
  const origin = bits.read(24);
  const front = usedBytes(bits);
  const end = front.length + 1;
  if (end === 1) fail("a block without bytes");
  const tables = readTables(bits, end + 1, fail);
  let column = new Uint32Array(4096);
  let length = 0;
  /** Times the byte in front comes, and what the next digit, 1 or 2, counts. */
  let [run, weight] = [0, 1];
  for (let group = 0; ; group++) {
    const table = tables[group] ?? fail("more symbols than selectors are for");
    for (let i = 0; i < GROUP; i++) {
      const symbol = readSymbol(bits, table, fail);
      if (symbol < 2) {
        run += weight * (symbol + 1);
        weight *= 2;
        if (run > most) fail(`a block of more than ${most} bytes`);
        continue;
      }
      const needed = length + run + 1;
      if (needed > column.length) column = grownColumn(column, needed);
      column.fill(front[0]!, length, length + run);
      length += run;
      [run, weight] = [0, 1];
      if (length + (symbol === end ? 0 : 1) > most) fail(`a block of more than ${most} bytes`);
      if (symbol === end) {
        if (origin >= length) fail(`row ${origin} of ${length}`);
        return { column: column.subarray(0, length), origin };
      }
      const byte = front[symbol - 1]!;
      front.copyWithin(1, 0, symbol - 1);
      front[0] = byte;
      column[length++] = byte;
    }
  }
}

function grownColumn(column: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(needed, 2 * column.length));
  larger.set(column);
  return larger;
}

/** The bytes that occur: a bit for each 16 of them, then for each such 16 a bit for each. */
function usedBytes(bits: BitReader): Uint8Array {
  const sixteens = bits.read(16);
  const used: number[] = [];
  for (let i = 0; i < 16; i++) {
    if (((sixteens >>> (15 - i)) & 1) === 0) continue;
    const members = bits.read(16);
    for (let j = 0; j < 16; j++) if (((members >>> (15 - j)) & 1) === 1) used.push(16 * i + j);
  }
  return Uint8Array.from(used);
}

/** The table of each group of symbols. */
function readTables(bits: BitReader, symbols: number, fail: Fail): HuffmanTable[] {
  const count = bits.read(3);
  const groups = bits.read(15);
  if (count < 2 || count > 6 || groups === 0) fail(`${count} tables for ${groups} groups of symbols`);
  const front = [0, 1, 2, 3, 4, 5].slice(0, count);
  const selectors: number[] = [];
  for (let i = 0; i < groups; i++) {
    let place = 0;
    while (bits.read(1) === 1) if (++place === count) fail(`table ${place} of ${count}`);
    front.unshift(...front.splice(place, 1));
    selectors.push(front[0]!);
  }
  const tables = front.map(() => huffmanTable(codeLengths(bits, symbols, fail)));
  return selectors.map((table) => tables[table]!);
}

/** Lengths of codes, each as steps up (10) and down (11) from the one before, to a 0. */
function codeLengths(bits: BitReader, symbols: number, fail: Fail): number[] {
  const lengths: number[] = [];
  let length = bits.read(5);
  while (lengths.length < symbols) {
    if (length < 1 || length > LONGEST) fail(`a code of ${length} bits`);
    if (bits.read(1) === 0) lengths.push(length);
    else length += bits.read(1) === 0 ? 1 : -1;
  }
  return lengths;
}

/** Bits of the longest code. */
const LONGEST = 20;

interface HuffmanTable {
  /** For each length of codes, the number in `LONGEST` bits that is above all codes up to it. */
  readonly above: readonly number[];
  /** For each length, what a code of it and this sum up to is its place in `symbols`. */
  readonly place: readonly number[];
  /** By length of their codes. */
  readonly symbols: readonly number[];
}

function huffmanTable(lengths: readonly number[]): HuffmanTable {
  const [above, place, symbols] = [[0], [0], [] as number[]];
  let code = 0;
  for (let length = 1; length <= LONGEST; length++) {
    place.push(symbols.length - code);
    for (const [symbol, own] of lengths.entries()) if (own === length) symbols.push(symbol);
    code = symbols.length - place[length]!;
    above.push(code * 2 ** (LONGEST - length));
    code *= 2;
  }
  return { above, place, symbols };
}

function readSymbol(bits: BitReader, { above, place, symbols }: HuffmanTable, fail: Fail): number {
  const next = bits.peek(LONGEST);
  let length = 1;
  while (next >= above[length]!) length++;
  if (length > LONGEST) fail("a code without a symbol");
  bits.skip(length);
  return symbols[(next >>> (LONGEST - length)) + place[length]!] ?? fail("a code without a symbol");
}

/** What comes out, and the CRC of it. */
class Output {
  /** Of the latest block. */
  crc: number = 0;
  readonly #options: DecodeOptions;
  readonly #table: Uint32Array = crcTable();
  #bytes: Uint8Array;
  #length: number = 0;

  constructor(storedBytes: number, options: DecodeOptions) {
    const usual = 256 * storedBytes;
    this.#options = options;
    this.#bytes = outputOf(Math.min(options.expectedBytes ?? usual, usual, options.maxBytes), options);
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Undoes the sorting; of four bytes alike, the byte after them says how many more there are. */
  putBlock({ column, origin }: SortedBlock): void {
    linkRows(column);
    this.crc = 0xffffffff;
    let row = column[origin]! >>> 8;
    let [alike, before] = [0, -1];
    for (let i = 0; i < column.length; i++) {
      const entry = column[row]!;
      row = entry >>> 8;
      const byte = entry & 255;
      if (alike === 4) {
        this.#put(before, byte);
        alike = 0;
        continue;
      }
      alike = byte === before || alike === 0 ? alike + 1 : 1;
      before = byte;
      this.#put(byte, 1);
    }
    this.crc = ~this.crc >>> 0;
  }

  #put(byte: number, times: number): void {
    const end = this.#length + times;
    if (end > this.#bytes.length) this.#bytes = grownOutput("bzip2", this.#bytes, end, this.#options);
    let crc = this.crc;
    for (let i = this.#length; i < end; i++) {
      this.#bytes[i] = byte;
      crc = (crc << 8) ^ this.#table[(crc >>> 24) ^ byte]!;
    }
    this.crc = crc;
    this.#length = end;
  }
}

/** Puts above each byte the row that is the one before, turned by one byte: rows are sorted, and so are equal bytes. */
function linkRows(column: Uint32Array): void {
  const next = new Uint32Array(257);
  for (const byte of column) next[byte + 1]!++;
  for (let byte = 1; byte < 256; byte++) next[byte]! += next[byte - 1]!;
  for (let row = 0; row < column.length; row++) {
    const to = next[column[row]! & 255]!++;
    column[to]! |= row << 8;
  }
}

/** Of CRC-32 with bits from the highest on, polynomial 04c11db7. */
function crcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
    return crc;
  });
}
