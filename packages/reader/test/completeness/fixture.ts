import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { ByteSource } from "@h5/framing";
import { fixtureBytes, fixturePath } from "@h5/testing";
import {
  type Attribute,
  type Dataset,
  type Group,
  type H5File,
  type H5Object,
  type OpenOptions,
  open,
} from "../../src/index.ts";

/** Bytes of a fixture, named `<feature>/<quirk>`; of `completeness` where no feature is said. */
export function bytesOf(name: string): Uint8Array<ArrayBuffer> {
  return fixtureBytes(`${name.includes("/") ? name : `completeness/${name}`}.h5`);
}

/** Bytes of a fixture that is kept packed. */
export function packedBytes(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gunzipSync(fixtureBytes(`completeness/${name}.h5.gz`)));
}

export function openFixture(name: string, options?: OpenOptions): Promise<H5File> {
  return open(bytesOf(name), options);
}

/** A JSON file beside the fixtures. */
export function json<T>(name: string): T {
  return JSON.parse(readFileSync(fixturePath(`completeness/${name}.json`), "utf8")) as T;
}

/** What libhdf5 reads of an object, as `fixtures/README.md` describes it. */
interface ExpectedObject {
  readonly kind: string;
  readonly data?: unknown;
  readonly attrs?: Readonly<Record<string, { readonly data?: unknown }>>;
}

/** What libhdf5 reads of a fixture, by path. */
export function expectedOf(name: string): Readonly<Record<string, ExpectedObject>> {
  return json<{ objects: Record<string, ExpectedObject> }>(name).objects;
}

/** Values as that JSON has them; for the classes whose values are numbers, text, lists and records of these. */
export function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : `${value}`;
  }
  if (typeof value === "number" && !Number.isFinite(value)) return `${value}`;
  if (value instanceof Uint8Array || ArrayBuffer.isView(value))
    return Array.from(value as unknown as ArrayLike<unknown>, plain);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (Symbol.iterator in value) return Array.from(value as Iterable<unknown>, plain);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** Every element of a dataset or attribute, flat, in plain values. */
export async function plainData(from: Dataset | Attribute): Promise<unknown> {
  return plain((await from.get()).data);
}

/** The children of a group that are datasets, by name. */
export async function datasetsOf(group: Group): Promise<Map<string, Dataset>> {
  const found = new Map<string, Dataset>();
  for (const { link, object, error } of await group.children()) {
    if (error !== undefined) throw error;
    if (object?.kind === "dataset") found.set(link.name, object);
  }
  return found;
}

/** Everything of a file read in one way or another; errors, which must be typed, by path. */
export async function readAll(file: H5File): Promise<Map<string, unknown>> {
  const errors = new Map<string, unknown>();
  const attempt = async (path: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      await read();
    } catch (error) {
      errors.set(path, error);
    }
  };
  const look = async (path: string, object: H5Object): Promise<void> => {
    await attempt(`${path}@`, () => object.attrs.toObject());
    if (object.kind === "dataset") await attempt(path, () => object.get());
    if (object.kind === "datatype") await attempt(path, async () => object.datatype);
  };
  await look("/", file);
  await attempt("/", async () => {
    for await (const { object, error, path } of file.visit()) {
      if (error !== undefined) errors.set(path!, error);
      if (object !== undefined) await look(path!, object);
    }
  });
  return errors;
}

/** A sparse file's bytes, kept as the blocks of it that are not zero. */
export interface Extents {
  /** Bytes of the dataset never written that puts the rest of the file far out. */
  readonly hole: number;
  readonly size: number;
  readonly extents: readonly { readonly start: number; readonly bytes: string }[];
}

/** A source of a sparse file that is nowhere whole. */
export function sparseSource({
  size,
  extents,
}: Extents): ByteSource & { readonly reads: { start: number; end: number }[] } {
  const blocks = extents.map(({ start, bytes }) => ({ start, bytes: Buffer.from(bytes, "base64") }));
  const reads: { start: number; end: number }[] = [];
  return {
    reads,
    byteLength: size,
    async slice(start, end) {
      reads.push({ start, end });
      const answer = new Uint8Array(Math.max(0, Math.min(end, size) - start));
      for (const block of blocks) {
        const from = Math.max(start, block.start);
        const to = Math.min(start + answer.length, block.start + block.bytes.length);
        if (from < to) answer.set(block.bytes.subarray(from - block.start, to - block.start), from - start);
      }
      return answer;
    },
  };
}
