import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import h5wasm, { Dataset, type File } from "h5wasm/node";
import type { Value } from "./dataset-model.ts";

/** A file as libhdf5 2.0.0 (in WebAssembly) has it open. */
export class OpenFile {
  readonly #file: File;

  constructor(file: File) {
    this.#file = file;
  }

  #dataset(path: string): Dataset {
    const object = this.#file.get(path);
    if (object instanceof Dataset) return object;
    throw new Error(`libhdf5 finds no dataset at ${path}`);
  }

  shape(path: string): readonly number[] | null {
    return this.#dataset(path).shape;
  }

  /** All elements as a plain list. */
  elements(path: string): Value[] {
    const { value, metadata } = this.#dataset(path);
    const list = typeof value === "object" && value !== null ? Array.from(value as Iterable<Value>) : [value as Value];
    const members = metadata.compound_type?.members;
    if (members === undefined) return list;
    const rows = metadata.shape?.length === 0 ? [list] : list;
    return (rows as unknown as Value[][]).map((row) =>
      Object.fromEntries(members.map(({ name }, i) => [name, row[i]!])),
    );
  }

  get names(): string[] {
    return this.#file.keys();
  }
}

/** Has libhdf5 open a file; throws the first thing it complains of, where h5wasm by itself gives zeros. */
export async function libhdf5<T>(bytes: Uint8Array, use: (file: OpenFile) => T): Promise<T> {
  const library = await h5wasm.ready;
  library.activate_throwing_error_handler();
  const folder = mkdtempSync(join(tmpdir(), "h5-random-"));
  try {
    const path = join(folder, "written.h5");
    writeFileSync(path, bytes);
    const file = new h5wasm.File(path, "r");
    try {
      return use(new OpenFile(file));
    } finally {
      file.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
