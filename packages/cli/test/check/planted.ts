import {
  bytesSource,
  decodeSymbolTableMessage,
  defaultLimits,
  type FileContext,
  type HeaderMessage,
  lookup3,
  messageType,
  type ObjectHeader,
  readObjectHeader,
  runSync,
} from "@h5/framing";
import { open } from "@h5/reader";
import { createFile, fletcher32, objectReference } from "@h5/writer";

/** How a file's metadata is laid out: as HDF5 1.6 did it, or as 1.10 does. */
export type Format = "earliest" | "latest";

const WIDTHS: FileContext = { offsetSize: 8, lengthSize: 8, limits: defaultLimits };
/** Structures that end with a checksum of all before it. */
const CHECKED = /\x89HDF|OHDR|OCHK|BTHD|BTLF|BTIN|FRHP|FHIB|FAHD|FADB|EAHD|EAIB|EADB|EASB|SMTB|SMLI|FSHD|FSSE|MDCI/g;
/** No structure of these files is longer. */
const LONGEST = 8192;

/** A file to put faults in: what is changed gets right checksums. */
export class Planted {
  bytes: Uint8Array<ArrayBuffer>;
  readonly format: Format;
  readonly #addresses: ReadonlyMap<string, number>;
  readonly #checked: readonly (readonly [start: number, end: number])[];

  private constructor(bytes: Uint8Array<ArrayBuffer>, format: Format, addresses: ReadonlyMap<string, number>) {
    this.bytes = bytes;
    this.format = format;
    this.#addresses = addresses;
    this.#checked = [...checkedSpans(bytes)];
  }

  static async in(bytes: Uint8Array<ArrayBuffer>, format: Format): Promise<Planted> {
    const root = await open(bytes);
    const addresses = new Map([["/", root.address]]);
    for await (const { path, object } of root.visit()) {
      if (object !== undefined && path !== undefined) addresses.set(path, object.address);
    }
    return new Planted(new Uint8Array(bytes), format, addresses);
  }

  /** One of two, by the format. */
  either<T>(earliest: T, latest: T): T {
    return this.format === "earliest" ? earliest : latest;
  }

  address(path: string): number {
    const address = this.#addresses.get(path);
    if (address === undefined) throw new Error(`no object ${path}`);
    return address;
  }

  header(path: string): ObjectHeader {
    return runSync(readObjectHeader(WIDTHS, this.address(path)), bytesSource(this.bytes));
  }

  /** A message of an object, the first of its type or another. */
  message(path: string, type: keyof typeof messageType, which: number = 0): HeaderMessage {
    const found = this.header(path).messages.filter((message) => message.type === messageType[type])[which];
    if (found === undefined) throw new Error(`no ${type} message in ${path}`);
    return found;
  }

  /** Addresses of the tree and the heap of a group with a symbol table, and of its first node. */
  symbolTable(path: string): { readonly tree: number; readonly heap: number; readonly node: number } {
    const { body, address } = this.message(path, "symbolTable");
    const { btreeAddress: tree, heapAddress: heap } = decodeSymbolTableMessage(body, WIDTHS, address);
    return { tree, heap, node: this.u64(tree + 32) };
  }

  /** Address of a structure that begins with a signature, the first of the file or another. */
  structure(signature: string, which: number = 0): number {
    const found = [...Buffer.from(this.bytes).toString("latin1").matchAll(new RegExp(signature, "g"))];
    return found[which]!.index;
  }

  u16(at: number): number {
    return this.#view.getUint16(at, true);
  }

  u64(at: number): number {
    return Number(this.#view.getBigUint64(at, true));
  }

  u32(at: number): number {
    return this.#view.getUint32(at, true);
  }

  get #view(): DataView {
    return new DataView(this.bytes.buffer);
  }

  /** Changes bytes, and the checksum of what they are in. */
  put(at: number, ...values: readonly number[]): void {
    this.bytes.set(values, at);
    for (const [start, end] of this.#checked) {
      if (at >= start && at < end) this.#view.setUint32(end, lookup3(this.bytes.subarray(start, end)), true);
    }
  }

  putU64(at: number, value: number): void {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value), true);
    this.put(at, ...bytes);
  }
}

function* checkedSpans(bytes: Uint8Array): Generator<readonly [number, number]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (const { index } of Buffer.from(bytes).toString("latin1").matchAll(CHECKED)) {
    const last = Math.min(bytes.length - 4, index + LONGEST);
    for (let end = index + 8; end <= last; end++) {
      if (lookup3(bytes.subarray(index, end)) !== view.getUint32(end, true)) continue;
      yield [index, end];
      break;
    }
  }
}

/** A file with a little of everything that the faults are planted in. */
export async function soundFile(format: Format): Promise<Uint8Array<ArrayBuffer>> {
  const file = createFile(format === "earliest" ? { compatibility: "earliest" } : {});
  const attrs = { unit: new Int32Array([1, 2]), target: objectReference("/other") };
  file.dataset(
    "plain",
    Int32Array.from({ length: 6 }, (_, i) => i),
    { attrs },
  );
  file.dataset(
    "other",
    Float64Array.from({ length: 8 }, (_, i) => i),
    { fillValue: 7 },
  );
  const grid = Int32Array.from({ length: 16 }, (_, i) => i);
  file.dataset("grid", grid, { shape: [4, 4], chunks: [2, 2] });
  file.dataset("packed", grid, { shape: [4, 4], chunks: [2, 2], filters: [fletcher32()] });
  file.dataset("sparse", grid, { shape: [4, 4], chunks: [2, 2], maxShape: [Infinity, Infinity] });
  file.dataset("names", ["one", "two", "three"]);
  file.dataset("typed", new Int16Array(4), { dtype: file.namedDatatype("kind", "int16") });
  const few = file.group("few");
  few.group("x1");
  few.hardLink("x2", "/plain");
  const many = file.group("many");
  for (let i = 0; i < 20; i++) many.softLink(`link${i}`, `/target${i}`);
  return await file.encode();
}
