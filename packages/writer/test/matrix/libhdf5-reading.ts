import h5wasm, { Dataset, Datatype, type File, Group, type Metadata } from "h5wasm/node";
import { documented, type Json } from "./expected.ts";

type Members = Record<string, Json | undefined>;
type Library = Awaited<typeof h5wasm.ready>;

/** The objects at some paths of a file, in the words of an `ExpectedObject`, as libhdf5 2.0.0 (in WebAssembly) reads them. */
export async function readObjects(file: string, paths: readonly string[]): Promise<Record<string, Json>> {
  const library = await h5wasm.ready;
  const opened = new h5wasm.File(file, "r");
  if (!(opened.file_id > 0n)) throw new Error("libhdf5 does not open the file");
  try {
    const reading = new FileReading(library, opened);
    return Object.fromEntries(paths.map((path) => [path, reading.object(path) as Json]));
  } finally {
    opened.close();
  }
}

/** Links of a group that are looked at. */
const MOST_LINKS = 1000;

class FileReading {
  readonly #library: Library;
  readonly #file: File;

  constructor(library: Library, file: File) {
    this.#library = library;
    this.#file = file;
  }

  object(path: string): Members {
    const object = path === "/" ? this.#file : this.#file.get(path);
    if (object instanceof Group) return this.#group(object, path);
    if (object instanceof Dataset) return this.#dataset(object);
    if (!(object instanceof Datatype)) throw new Error(`${path}: libhdf5 finds ${String(object)}`);
    return { kind: "datatype", dtype: typeNode(object.metadata) as Json, attrs: this.#attributes(object) as Json };
  }

  #group(group: Group, path: string): Members {
    const names = group.keys();
    const links: Members = {};
    for (const name of names.length > MOST_LINKS ? [] : names) {
      const value = this.#link(`${path === "/" ? "" : path}/${name}`);
      Object.defineProperty(links, name, { value, enumerable: true });
    }
    const attrs = this.#attributes(group) as Json;
    return { kind: "group", links: links as Json, attrs, facts: { link_names: names.length } };
  }

  /** A link; h5wasm does not tell soft links that lead somewhere from hard ones. */
  #link(path: string): Members {
    const { file_id } = this.#file;
    const { H5G_LINK, H5G_UDLINK } = this.#library;
    switch (this.#library.get_type(file_id, path)) {
      case H5G_LINK:
        return { type: "soft", target: this.#library.get_symbolic_link(file_id, path) };
      case H5G_UDLINK: {
        const { filename, obj_path } = this.#library.get_external_link(file_id, path);
        return { type: "external", file: filename, target: obj_path };
      }
      default:
        return {};
    }
  }

  #attributes({ path }: { path: string }): Members {
    const { file_id } = this.#file;
    const attributes: Members = {};
    for (const name of this.#library.get_attribute_names(file_id, path) as string[]) {
      const metadata = this.#library.get_attribute_metadata(file_id, path, name);
      const read = (address: bigint): void => {
        this.#library.get_attribute_data(file_id, path, name, address);
      };
      const value = { shape: metadata.shape, dtype: typeNode(metadata), data: this.#elements(metadata, read) };
      Object.defineProperty(attributes, name, { value, enumerable: true });
    }
    return attributes;
  }

  #dataset(dataset: Dataset): Members {
    const { metadata, path, file_id } = dataset;
    const { shape, maxshape, chunks } = metadata;
    const read = (address: bigint): void => {
      this.#library.get_dataset_data(file_id, path, null, null, null, address);
    };
    return {
      kind: "dataset",
      shape,
      maxshape: maxshape?.map((size) => (size > Number.MAX_SAFE_INTEGER ? null : size)) ?? null,
      dtype: typeNode(metadata) as Json,
      chunks,
      filters: dataset.filters.map(({ id }) => id),
      attrs: this.#attributes(dataset) as Json,
      data: this.#elements(metadata, read),
    };
  }

  /** Elements that `read` puts at an address; too many are left alone. */
  #elements(metadata: Metadata, read: (address: bigint) => void): Json | undefined {
    const { shape, total_size, size } = metadata;
    if (shape === null) return null;
    const length = total_size * size;
    if (length > MOST_BYTES) return { n: total_size };
    const address = this.#library._malloc(Math.max(1, length));
    read(BigInt(address));
    const heap = (start: number, count: number): Uint8Array => this.#library.HEAPU8.slice(start, start + count);
    const target = (bytes: Uint8Array, isObject: boolean): string =>
      this.#library.get_referenced_name(this.#file.file_id, bytes, isObject);
    const bytes = heap(address, length);
    this.#library._free(address);
    return isTold(metadata) ? documented(elementsOf(metadata, bytes, { heap, target })) : undefined;
  }
}

const MOST_BYTES = 64 * 1024 * 1024;

/** What values lead to. */
interface Elsewhere {
  heap(start: number, count: number): Uint8Array;
  target(reference: Uint8Array, isObject: boolean): string;
}

const CLASSES = [
  "integer",
  "float",
  "time",
  "string",
  "bitfield",
  "opaque",
  "compound",
  "reference",
  "enum",
  "vlen",
  "array",
  "complex",
] as const;

/** As much of a type as h5wasm tells. Orders are left out: it tells those of the memory type in some places. */
function typeNode(type: Metadata): Members {
  const name = CLASSES[type.type];
  switch (name) {
    case "integer":
      return { class: name, size: type.size, signed: type.signed };
    case "string": {
      const size = type.vlen ? null : type.size;
      return { class: name, size, charset: type.cset === 1 ? "utf8" : "ascii", pad: PADS[type.strpad ?? 0]! };
    }
    case "compound":
      return {
        class: name,
        members: type.compound_type!.members.map((m) => ({ name: m.name, type: typeNode(m) as Json })),
      };
    case "enum":
      return { class: name, members: type.enum_type!.members };
    case "array":
      return { class: name, dims: type.array_type!.shape as Json, base: typeNode(type.array_type!) as Json };
    case "vlen":
      return { class: name, base: typeNode(type.vlen_type!) as Json };
    case "reference":
      return { class: name, kind: type.ref_type! };
    default:
      return { class: name ?? `class${type.type}` };
  }
}

const PADS = ["nullterm", "nullpad", "spacepad"] as const;

function elementsOf(type: Metadata, bytes: Uint8Array, elsewhere: Elsewhere): unknown {
  const name = CLASSES[type.type];
  if (name === "integer" || name === "float") {
    const numbers = typedArray(type, bytes);
    if (numbers !== undefined) return numbers;
  }
  const count = bytes.length / type.size;
  return Array.from({ length: count }, (_, i) =>
    elementOf(type, bytes.subarray(i * type.size, (i + 1) * type.size), elsewhere),
  );
}

function typedArray({ type, size, signed }: Metadata, { buffer, byteOffset, length }: Uint8Array): unknown {
  const aligned = buffer.slice(byteOffset, byteOffset + length);
  if (type === 1) return size === 8 ? new Float64Array(aligned) : size === 4 ? new Float32Array(aligned) : undefined;
  switch (size) {
    case 1:
      return signed ? new Int8Array(aligned) : new Uint8Array(aligned);
    case 2:
      return signed ? new Int16Array(aligned) : new Uint16Array(aligned);
    case 4:
      return signed ? new Int32Array(aligned) : new Uint32Array(aligned);
    case 8:
      return signed ? new BigInt64Array(aligned) : new BigUint64Array(aligned);
    default:
      return undefined;
  }
}

/** Whether h5wasm tells enough of a type to decode elements of it. */
function isTold(type: Metadata): boolean {
  const inner = [type.array_type, type.vlen_type, ...(type.compound_type?.members ?? [])];
  const known = type.type !== 1 || type.size === 4 || type.size === 8;
  return known && CLASSES[type.type] !== "complex" && inner.every((part) => part === undefined || isTold(part));
}

function elementOf(type: Metadata, bytes: Uint8Array, elsewhere: Elsewhere): unknown {
  switch (CLASSES[type.type]) {
    case "integer":
    case "bitfield":
    case "enum":
      return integerOf(bytes, type.signed);
    case "float":
      return (typedArray(type, bytes) as Float64Array | undefined)?.[0];
    case "string":
      return stringOf(type, type.vlen ? pointedText(bytes, elsewhere) : bytes);
    case "opaque":
      return bytes;
    case "compound": {
      const member = (m: Metadata & { name: string; offset: number }): [string, unknown] => [
        m.name,
        elementOf(m, bytes.subarray(m.offset, m.offset + m.size), elsewhere),
      ];
      return Object.fromEntries(type.compound_type!.members.map(member));
    }
    case "array":
      return nested(elementsOf(type.array_type!, bytes, elsewhere) as unknown[], type.array_type!.shape!);
    case "vlen": {
      const [count = 0, start = 0] = wordsOf(bytes);
      const values = elementsOf(type.vlen_type!, elsewhere.heap(start, count * type.vlen_type!.size), elsewhere);
      return Array.from(values as ArrayLike<unknown>);
    }
    case "reference":
      return referenceOf(type, bytes, elsewhere);
    default:
      return undefined;
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.slice().buffer);
}

function integerOf(bytes: Uint8Array, signed: boolean): bigint {
  const value = bytes.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return signed ? BigInt.asIntN(bytes.length * 8, value) : value;
}

function pointedText(pointer: Uint8Array, { heap }: Elsewhere): Uint8Array {
  const [start = 0] = wordsOf(pointer);
  if (start === 0) return new Uint8Array(0);
  let length = 256;
  let text = heap(start, length);
  while (!text.includes(0)) {
    length *= 4;
    text = heap(start, length);
  }
  return text.subarray(0, text.indexOf(0));
}

function stringOf({ vlen, strpad }: Metadata, bytes: Uint8Array): string {
  let end = bytes.length;
  if (!vlen && strpad === 0 && bytes.includes(0)) end = bytes.indexOf(0);
  const pad = strpad === 2 ? 32 : 0;
  if (!vlen && strpad !== 0) while (end > 0 && bytes[end - 1] === pad) end--;
  return new TextDecoder().decode(bytes.subarray(0, end));
}

function nested(values: unknown[], dims: readonly number[]): unknown {
  let level: unknown[] = Array.from(values);
  for (const dim of dims.slice(1).reverse()) {
    level = Array.from({ length: level.length / dim }, (_, i) => level.slice(i * dim, (i + 1) * dim));
  }
  return level;
}

function referenceOf({ ref_type }: Metadata, bytes: Uint8Array, { target }: Elsewhere): unknown {
  if (bytes.every((byte) => byte === 0)) return null;
  return ref_type === "object" ? { ref: target(bytes, true) } : { regionref: target(bytes, false) };
}
