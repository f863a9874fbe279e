import { FieldReader } from "@h5/framing";
import { open } from "@h5/reader";
import { exercise, exerciseCommands, type Surroundings } from "./exercise.ts";

/** A field of a structure of a file, as the decoders read it. */
export interface Field {
  /** Offset in the file. */
  readonly at: number;
  /** Bytes. */
  readonly width: number;
  /** What it is in, in the words of the decoder: `"object header"`. */
  readonly structure: string;
}

/** Leading bytes of raw data and chunks that are taken for fields: filters keep headers there. */
const DATA_BYTES = 48;

/** The fields of a file by structure: whatever the decoders read of it while it is exercised. */
export async function fieldsOf(
  bytes: Uint8Array,
  around: Surroundings,
): Promise<ReadonlyMap<string, readonly Field[]>> {
  const found = new Map<string, Field>();
  const note = (field: Field): void => void found.set(`${field.at} ${field.width} ${field.structure}`, field);
  await watched(bytes.buffer, note, async () => {
    await exercise(bytes, around);
    await exerciseCommands(bytes, around);
  });
  for (const { at, length } of await dataOf(bytes)) {
    for (let i = 0; i < Math.min(length, DATA_BYTES); i += 4) note({ at: at + i, width: 4, structure: "data" });
  }
  const structures = new Map<string, Field[]>();
  for (const field of found.values()) {
    const fields = structures.get(field.structure);
    if (fields === undefined) structures.set(field.structure, [field]);
    else fields.push(field);
  }
  return structures;
}

/** Has every field told that a decoder reads from `buffer` while `work` is done. */
async function watched(buffer: ArrayBufferLike, note: (field: Field) => void, work: () => Promise<unknown>) {
  const { skip, uintOrUndefined } = FieldReader.prototype;
  const tell = ({ bytes, structure }: FieldReader, offset: number, width: number): void => {
    if (bytes.buffer === buffer && width > 0) note({ at: bytes.byteOffset + offset, width, structure });
  };
  FieldReader.prototype.skip = function (length) {
    tell(this, this.offset, length);
    return skip.call(this, length);
  };
  FieldReader.prototype.uintOrUndefined = function (width, name) {
    tell(this, this.offset, width);
    return uintOrUndefined.call(this, width, name);
  };
  try {
    await work();
  } finally {
    Object.assign(FieldReader.prototype, { skip, uintOrUndefined });
  }
}

/** Where the elements of datasets lie. */
async function dataOf(bytes: Uint8Array): Promise<{ at: number; length: number }[]> {
  const places: { at: number; length: number }[] = [];
  try {
    const file = await open(bytes);
    for await (const { object } of file.visit()) {
      if (object?.kind !== "dataset") continue;
      const { layout } = object;
      if (layout.class === "contiguous" && layout.address !== undefined) {
        places.push({ at: file.userblockSize + layout.address, length: Number(layout.size ?? DATA_BYTES) });
      }
      for (const { address, size } of await object.chunkInfo()) {
        places.push({ at: file.userblockSize + address, length: size });
      }
    }
  } catch {
    // What seeds are broken on purpose give is enough.
  }
  return places.filter(({ at }) => at + DATA_BYTES < bytes.length);
}
