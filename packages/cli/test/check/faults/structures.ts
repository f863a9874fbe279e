import { expect } from "vitest";
import type { Planted } from "../planted.ts";
import { error, type Fault, warning } from "./fault.ts";

/** One kind of fault in files that libhdf5 wrote, each with another layout of what is at fault. */
export interface FixtureFault extends Fault {
  readonly fixtures: readonly string[];
}

const SHARED = ["heap/shared-list.h5", "heap/shared-btree.h5"];
const FILE_SPACE = ["check/free-space.h5", "framing/file-space-paged.h5"];
const HEAP_SPACE = ["heap/fractal-direct-root.h5", "heap/fractal-indirect-root.h5"];
const EXTENSIBLE = ["btree/extensible-array.h5", "btree/extensible-array-paged-filtered.h5"];
const CONTINUED = ["framing/header-v1-continuation.h5", "reader/header-continuation.h5"];
const IMAGES = ["framing/cache-image.h5", "check/cache-image.h5.gz"];
const OLD_GROUPS = ["check/deleted-earliest.h5", "check/grown-earliest.h5"];

const isList = (file: Planted): boolean => Buffer.from(file.bytes).includes("SMLI");

/** The first record of an index of shared messages: location, hash, then uses and heap id, or header. */
function sharedRecord(file: Planted, where: "heap" | "header" = "heap"): number {
  const index = where === "header" ? 0 : 1;
  return isList(file) ? file.structure("SMLI", index) + 4 : file.structure("BTLF", index) + 6;
}

/** Where the first section of a list has its size and its address. */
function section(file: Planted): { readonly size: number; readonly address: number } {
  const header = file.structure("FSHD");
  const list = file.structure("FSSE");
  const sizeAt = list + 13 + bytesFor(file.u64(header + 22));
  return { size: sizeAt, address: sizeAt + bytesFor(file.u64(header + 46)) };
}

function bytesFor(value: number): number {
  return Math.max(1, Math.ceil(Math.log2(value + 1) / 8));
}

/** Where an object header says that it goes on, and where that is. */
function continuation(file: Planted): { readonly message: number; readonly target: number } {
  const bytes = Buffer.from(file.bytes);
  if (file.format === "latest") {
    const target = file.structure("OCHK");
    const field = Buffer.alloc(8);
    field.writeBigUInt64LE(BigInt(target));
    return { message: bytes.indexOf(field), target };
  }
  const message = bytes.indexOf(Buffer.from([0x10, 0, 0x10, 0, 0, 0, 0, 0])) + 8;
  return { message, target: file.u64(message) };
}

/** Faults of structures that small files do not have. */
export const STRUCTURE_FAULTS: readonly FixtureFault[] = [
  {
    name: "a table of shared messages without its signature",
    fixtures: SHARED,
    plant(file) {
      const table = file.structure("SMTB");
      file.put(table, 0);
      return error("shared message table", table);
    },
  },
  {
    name: "a count of shared messages that is wrong",
    fixtures: SHARED,
    plant(file) {
      const table = file.structure("SMTB");
      file.put(table + 16, file.bytes[table + 16]! + 1);
      if (!isList(file)) return warning("shared message table", file.u64(table + 18));
      return { severity: "error", structure: expect.stringMatching(/^shared message|^fractal heap id/) };
    },
  },
  {
    name: "a hash of a shared message that is another's",
    fixtures: SHARED,
    plant(file) {
      const record = sharedRecord(file);
      file.put(record + 1, file.bytes[record + 1]! ^ 1);
      return { severity: "error", structure: "shared message table", message: expect.stringContaining("hash") };
    },
  },
  {
    name: "a count of uses of a shared message that is wrong",
    fixtures: SHARED,
    plant(file) {
      file.put(sharedRecord(file) + 5, 77);
      return {
        severity: "warning",
        structure: "shared message table",
        message: expect.stringContaining("expected 77 uses"),
      };
    },
  },
  {
    name: "a shared message that is not in its heap",
    fixtures: SHARED,
    plant(file) {
      file.put(sharedRecord(file) + 10, 0xff, 0xff, 0xff, 0x7f);
      return { severity: "error", structure: "fractal heap id" };
    },
  },
  {
    name: "a message shared in an object header that is none",
    fixtures: SHARED,
    plant(file) {
      const record = sharedRecord(file, "header") + (isList(file) ? 0 : 17);
      file.put(record + 9, file.bytes[record + 9]! ^ 8);
      return { severity: "error", structure: "shared message table", message: expect.stringContaining("header") };
    },
  },
  {
    name: "a free-space manager without its signature",
    fixtures: [...FILE_SPACE, ...HEAP_SPACE],
    plant(file) {
      const manager = file.structure("FSHD");
      file.put(manager, 0);
      return error("free-space manager header", manager);
    },
  },
  {
    name: "a list of free space of another manager",
    fixtures: [...FILE_SPACE, ...HEAP_SPACE],
    plant(file) {
      const list = file.structure("FSSE");
      file.put(list + 5, file.bytes[list + 5]! ^ 8);
      return error("free-space section list", list + 5);
    },
  },
  {
    name: "a total of free space that is wrong",
    fixtures: [...FILE_SPACE, ...HEAP_SPACE],
    plant(file) {
      const manager = file.structure("FSHD");
      file.put(manager + 6, 1, 0);
      return error("free-space manager header", manager);
    },
  },
  {
    name: "free space of a file where an object is",
    fixtures: FILE_SPACE,
    plant(file) {
      const object = file.address("/");
      file.put(section(file).address, object & 0xff, object >> 8, 0);
      return { severity: "error", message: expect.stringMatching(/^overlaps the (free space|object header)/) };
    },
  },
  {
    name: "free space of a heap where an object is",
    fixtures: HEAP_SPACE,
    plant(file) {
      file.put(section(file).address, 40, 0);
      return { severity: "error", structure: "fractal heap", message: expect.stringContaining("overlap") };
    },
  },
  {
    name: "bytes of a heap that are neither free nor an object's",
    fixtures: HEAP_SPACE,
    plant(file) {
      const { size } = section(file);
      file.put(size, file.bytes[size]! - 1);
      return {
        severity: "warning",
        structure: "fractal heap",
        message: "1 bytes of the blocks are neither free nor an object's",
      };
    },
  },
  {
    name: "an extensible array without its signature",
    fixtures: EXTENSIBLE,
    plant(file) {
      const header = file.structure("EAHD");
      file.put(header, 0);
      return error("extensible array header", header);
    },
  },
  {
    name: "an index block of another extensible array",
    fixtures: EXTENSIBLE,
    plant(file) {
      const block = file.structure("EAIB");
      file.put(block + 6, file.bytes[block + 6]! ^ 8);
      return { severity: "error", structure: "extensible array index block" };
    },
  },
  {
    name: "a data block at another place of an extensible array",
    fixtures: EXTENSIBLE,
    plant(file) {
      const block = file.structure("EADB");
      file.put(block + 14, file.bytes[block + 14]! ^ 1);
      return { severity: "error", structure: "extensible array data block" };
    },
  },
  {
    name: "a count of blocks of an extensible array that is wrong",
    fixtures: EXTENSIBLE,
    plant(file) {
      const header = file.structure("EAHD");
      file.put(header + 28, file.bytes[header + 28]! + 1);
      return error("extensible array header", header);
    },
  },
  {
    name: "two chunks of an extensible array in one place",
    fixtures: ["btree/extensible-array.h5", "completeness/layouts-filtered.h5"],
    plant(file) {
      const elements = file.structure("EAIB") + 14;
      const size = file.bytes[file.structure("EAHD") + 6]!;
      file.put(elements + size, ...file.bytes.slice(elements, elements + 8));
      return error("chunk", file.u64(elements));
    },
  },
  {
    name: "a cache image without its signature",
    fixtures: IMAGES,
    plant(file) {
      const image = file.structure("MDCI");
      file.put(image, 0);
      return error("metadata cache image", image);
    },
  },
  {
    name: "a damaged cache image",
    fixtures: IMAGES,
    plant(file) {
      const image = file.structure("MDCI");
      file.bytes[image + 60]! ^= 1;
      return error("metadata cache image", image);
    },
  },
  {
    name: "a cache image that lies over an object",
    fixtures: IMAGES,
    plant(file) {
      const image = file.structure("MDCI");
      const field = Buffer.alloc(8);
      field.writeBigUInt64LE(BigInt(image));
      file.put(Buffer.from(file.bytes).indexOf(field, 100), 48, 0);
      return error("metadata cache image", 48);
    },
  },
  {
    name: "an object header that goes on in one",
    fixtures: CONTINUED,
    plant(file) {
      file.putU64(continuation(file).message, file.address("/data"));
      return { severity: "error", structure: expect.stringContaining("object header") };
    },
  },
  {
    name: "an object header that goes on beyond the end of the file",
    fixtures: CONTINUED,
    plant(file) {
      file.putU64(continuation(file).message, file.bytes.length);
      return error("object header continuation", file.bytes.length);
    },
  },
  {
    name: "a damaged continuation of an object header",
    fixtures: CONTINUED,
    plant(file) {
      const { target } = continuation(file);
      if (file.format === "latest") file.bytes[target + 12]! ^= 1;
      else file.put(target + 2, 0xf1, 0xff);
      return { severity: "error", structure: expect.stringContaining("object header") };
    },
  },
  {
    name: "a symbol table that is not the one the superblock has",
    fixtures: OLD_GROUPS,
    plant(file) {
      file.putU64(80, file.u64(80) + 8);
      return error("symbol table entry", 0, "/");
    },
  },
  {
    name: "a symbol table that is not the one a link has",
    fixtures: OLD_GROUPS,
    plant(file) {
      const { node } = file.symbolTable("/");
      const cached = [0, 1, 2, 3].map((i) => node + 8 + 40 * i).find((entry) => file.u32(entry + 16) === 1)!;
      file.putU64(cached + 32, file.u64(cached + 32) + 8);
      return error("symbol table entry", node);
    },
  },
  {
    name: "bytes of a heap of names that are lost",
    fixtures: OLD_GROUPS,
    plant(file) {
      const { heap } = file.symbolTable("/group");
      const segment = file.u64(heap + 24);
      const block = segment + file.u64(heap + 16);
      file.putU64(block + 8, file.u64(block + 8) - 8);
      return warning("local heap data segment", segment);
    },
  },
];
