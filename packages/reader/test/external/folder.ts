import type { DtypeName } from "@h5/datatypes";
import type { Slice } from "@h5/selection";
import { fixtureBytes } from "@h5/testing";
import {
  type Dataset,
  type ExternalFile,
  type ExternalRequest,
  type ExternalSources,
  type H5File,
  type NdArray,
  type OpenOptions,
  open,
} from "../../src/index.ts";

/** Files in memory as another file's sources, and what was asked of them. */
export interface Folder extends ExternalSources {
  readonly asked: (Pick<ExternalRequest, "kind" | "from"> & { readonly name: string })[];
}

/** Files by name; `find` gives the bytes, or nothing. */
export function folderOf(find: (name: string) => Uint8Array | undefined): Folder {
  const asked: Folder["asked"] = [];
  return {
    asked,
    open(name, { kind, from }): ExternalFile | null {
      asked.push({ name, kind, from });
      const bytes = find(name);
      return bytes === undefined ? null : { name, source: { slice: async (start, end) => bytes.slice(start, end) } };
    },
  };
}

/** The files of fixtures/external. */
export function fixtures(): Folder {
  return folderOf((name) => {
    try {
      return fixtureBytes(`external/${name}`);
    } catch {
      return undefined;
    }
  });
}

/** A fixture that may lead to the others. */
export function openAmong(name: string, options: OpenOptions = {}): Promise<H5File> {
  return open(fixtureBytes(`external/${name}`), { name, external: fixtures(), ...options });
}

/** What libhdf5 reads in a dataset. */
export interface Expected {
  readonly shape: number[];
  readonly data: unknown[];
  readonly error?: string;
}

/** What libhdf5 reads in a file by path. */
export function expectedOf(name: string): Record<string, Expected> {
  const text = new TextDecoder().decode(fixtureBytes("external/expected.json"));
  return (JSON.parse(text) as Record<string, Record<string, Expected>>)[name]!;
}

/** A dataset as the expected values have it: bigints as numbers, compounds as lists, what is not finite as text. */
export async function readingOf(
  dataset: Dataset,
  selection: readonly Slice[] | null = null,
): Promise<Pick<Expected, "shape" | "data">> {
  const { shape, data } = (await dataset.get(selection)) as NdArray<DtypeName>;
  return { shape, data: Array.from(data as ArrayLike<unknown>, plain) };
}

function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value === 0 ? 0 : value;
    return value > 0 ? "inf" : "-inf";
  }
  if (typeof value !== "object" || value === null) return value;
  return (ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : Object.values(value)).map(plain);
}
