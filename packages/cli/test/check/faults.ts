import { decodeAttribute, decodeLayout } from "@h5/framing";
import { expect } from "vitest";
import type { Finding } from "../../src/index.ts";
import type { Planted } from "./planted.ts";

/** What a fault must be found as. */
export type Expected = Partial<Finding> & Pick<Finding, "severity">;

/** One kind of fault. */
export interface Fault {
  readonly name: string;
  /** Found with the data alone. */
  readonly data?: boolean;
  plant(file: Planted): Expected;
}

const error = (structure: string, address: number, path?: string): Expected =>
  path === undefined ? { severity: "error", structure, address } : { severity: "error", structure, address, path };
const warning = (structure: string, address: number): Expected => ({ severity: "warning", structure, address });

/** Where the superblock has the end of the file. */
const endField = (file: Planted): number => file.either(40, 28);

/** Address of the data or the chunk index of a dataset. */
function storage(file: Planted, path: string): number {
  const layout = decodeLayout(file.message(path, "layout").body, { offsetSize: 8, lengthSize: 8 });
  if (layout.class === "contiguous") return layout.address!;
  if (layout.class === "chunked") return layout.index.address!;
  throw new Error(`${path} is ${layout.class}`);
}

/** Address of the leaf of a version 2 B-tree. */
const leaf = (file: Planted, header: number): number => file.u64(header + 16);

/** Addresses of the heap and the tree by name of a group with dense links. */
function dense(file: Planted, path: string): { readonly heap: number; readonly tree: number } {
  const { address } = file.message(path, "linkInfo");
  return { heap: file.u64(address + 2), tree: file.u64(address + 10) };
}

/** Where an attribute of an object is: its message, and in it its dataspace and its value. */
function attribute(file: Planted, path: string, name: string): { message: number; space: number; data: number } {
  for (let which = 0; ; which++) {
    const { body, address } = file.message(path, "attribute", which);
    const frame = decodeAttribute(body, { offsetSize: 8, lengthSize: 8 }, address);
    if (frame.name === name) return { message: address, space: frame.dataspaceAddress!, data: frame.dataAddress! };
  }
}

/** First chunk of a dataset that has checksums: the array of its index, or the tree's node, leads to it. */
function packedChunk(file: Planted): number {
  const index = storage(file, "/packed");
  // Behind the node's head and first key; or in the data block, behind its prefix.
  return file.u64(file.format === "earliest" ? index + 24 + 32 : file.u64(index + 16) + 14);
}

export const FAULTS: readonly Fault[] = [
  {
    name: "a file open for writing",
    plant(file) {
      file.put(file.either(20, 11), 1);
      return warning("superblock", 0);
    },
  },
  {
    name: "an end of file that is not there",
    plant(file) {
      file.putU64(endField(file), file.bytes.length + 4);
      return warning("superblock", 0);
    },
  },
  {
    name: "bytes behind the end of the file",
    plant(file) {
      file.bytes = new Uint8Array([...file.bytes, ...new Uint8Array(100)]);
      return warning("superblock", 0);
    },
  },
  {
    name: "space that is lost",
    plant(file) {
      const end = file.bytes.length;
      file.putU64(endField(file), end + 64);
      file.bytes = new Uint8Array([...file.bytes, ...new Uint8Array(64)]);
      return warning("unused space", end);
    },
  },
  {
    name: "a file cut short",
    plant(file) {
      file.bytes = file.bytes.slice(0, -3);
      return {
        severity: "error",
        message: expect.stringContaining(`beyond the end of the file at ${file.bytes.length}`),
      };
    },
  },
  {
    name: "a damaged object header",
    plant(file) {
      const address = file.address("/plain");
      if (file.format === "latest") file.bytes[address + 8]! ^= 0x40;
      else file.put(address + 18, 9);
      return error("object header", file.either(address + 18, address), "/plain");
    },
  },
  {
    name: "a count of links that is wrong",
    plant(file) {
      const address = file.address("/plain");
      if (file.format === "earliest") file.put(address + 4, 5);
      else file.put(file.message("/plain", "referenceCount").address + 1, 5);
      return warning("object header", address);
    },
  },
  {
    name: "a hard link to no object",
    plant(file) {
      const astray = storage(file, "/plain");
      const { address, body } = file.format === "latest" ? file.message("/few", "link") : { address: 0, body: [] };
      file.putU64(file.format === "latest" ? address + body.length - 8 : file.symbolTable("/few").node + 16, astray);
      return error("object header", astray, "/few/x1");
    },
  },
  {
    name: "two links of one name",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/few");
        file.putU64(node + 8 + 40, file.u64(node + 8));
        return error("symbol table node", node, "/few");
      }
      const { address, body } = file.message("/few", "link", 1);
      file.put(address + body.length - 9, 0x31);
      return error("link message", file.address("/few"), "/few");
    },
  },
  {
    name: "a tree of links without its signature",
    plant(file) {
      const tree = file.format === "latest" ? dense(file, "/many").tree : file.symbolTable("/many").tree;
      file.put(tree, 0);
      return error(file.either("version 1 B-tree node", "version 2 B-tree header"), tree, "/many");
    },
  },
  {
    name: "names out of order",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/many");
        const [first, second] = [file.u64(node + 8), file.u64(node + 48)];
        file.putU64(node + 8, second);
        file.putU64(node + 48, first);
        return error("symbol table node", node, "/many");
      }
      const node = leaf(file, dense(file, "/many").tree);
      const records = [0, 1].map((i) => file.bytes.slice(node + 6 + 11 * i, node + 17 + 11 * i));
      file.put(node + 6, ...records[1]!, ...records[0]!);
      return error("version 2 B-tree node", node, "/many");
    },
  },
  {
    name: "a count of entries that is wrong",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/few");
        file.put(node + 6, 100);
        return { severity: "error", structure: expect.stringMatching(/^symbol table/), path: "/few" };
      }
      const { tree } = dense(file, "/many");
      file.put(tree + 26, 19);
      return error("version 2 B-tree header", tree, "/many");
    },
  },
  {
    name: "a damaged heap of names",
    plant(file) {
      if (file.format === "latest") {
        const { heap } = dense(file, "/many");
        file.bytes[heap + 10]! ^= 1;
        return error("fractal heap header", heap, "/many");
      }
      const { heap } = file.symbolTable("/many");
      file.putU64(heap + 16, file.u64(heap + 8) + 8);
      return { severity: "error", structure: "local heap", path: "/many" };
    },
  },
  {
    name: "a name outside its heap",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/few");
        file.putU64(node + 8, 1000000);
        return { severity: "error", structure: "local heap data segment", path: "/few" };
      }
      const node = leaf(file, dense(file, "/many").tree);
      file.put(node + 6 + 4 + 1, 0, 0, 0, 0x10);
      return { severity: "error", structure: "fractal heap id", path: "/many" };
    },
  },
  {
    name: "data of two datasets in one place",
    plant(file) {
      const shared = storage(file, "/plain");
      file.putU64(file.message("/other", "layout").address + 2, shared);
      return {
        severity: "error",
        structure: "contiguous data",
        address: shared,
        message: expect.stringContaining("overlaps"),
      };
    },
  },
  {
    name: "data beyond the end of the file",
    plant(file) {
      const address = file.bytes.length - 8;
      file.putU64(file.message("/other", "layout").address + 2, address);
      return error("contiguous data", address, "/other");
    },
  },
  {
    name: "fewer bytes than elements",
    plant(file) {
      const address = storage(file, "/other");
      file.putU64(file.message("/other", "layout").address + 10, 8);
      return error("contiguous data", address, "/other");
    },
  },
  {
    name: "a chunk index without its signature",
    plant(file) {
      const index = storage(file, "/grid");
      file.put(index, 0);
      return error(file.either("version 1 B-tree node", "fixed array header"), index, "/grid");
    },
  },
  {
    name: "a chunk that comes twice",
    plant(file) {
      const index = storage(file, "/sparse");
      if (file.format === "earliest") {
        const key = index + 24;
        file.put(key + 40 + 8, ...file.bytes.slice(key + 8, key + 24));
        return { severity: "error", structure: "version 1 B-tree node", path: "/sparse" };
      }
      const node = leaf(file, index);
      file.put(node + 6 + 24 + 8, ...file.bytes.slice(node + 6 + 8, node + 6 + 24));
      return error("chunk", file.u64(node + 6 + 24), "/sparse");
    },
  },
  {
    name: "chunks outside the extent",
    plant(file) {
      const index = storage(file, "/sparse");
      file.put(file.message("/sparse", "dataspace").address + file.either(8, 4), 2);
      const third = file.format === "earliest" ? index + 24 + 2 * 40 + 32 : leaf(file, index) + 6 + 2 * 24;
      return error("chunk", file.u64(third), "/sparse");
    },
  },
  {
    name: "a chunk of a size that cannot be",
    plant(file) {
      const index = storage(file, "/packed");
      const chunk = packedChunk(file);
      if (file.format === "earliest") file.put(index + 24, 0, 0, 0, 0);
      else file.put(file.u64(index + 16) + 14 + 8, 0, 0);
      return error("chunk", chunk, "/packed");
    },
  },
  {
    name: "a damaged chunk",
    data: true,
    plant(file) {
      const chunk = packedChunk(file);
      file.bytes[chunk]! ^= 1;
      return { severity: "error", address: chunk, path: "/packed", message: expect.stringContaining("checksum") };
    },
  },
  {
    name: "a reference to no object",
    plant(file) {
      const { data } = attribute(file, "/plain", "target");
      file.putU64(data, file.address("/plain") + 8);
      return error("reference", data, "/plain");
    },
  },
  {
    name: "a variable-length value that is not in its heap",
    data: true,
    plant(file) {
      const data = storage(file, "/names");
      file.put(data + 12, 99);
      return error("contiguous data", data, "/names");
    },
  },
  {
    name: "a global heap collection without its signature",
    data: true,
    plant(file) {
      const collection = file.u64(storage(file, "/names") + 4);
      file.put(collection, 0);
      return error("global heap collection", collection, "/names");
    },
  },
  {
    name: "an attribute shorter than its extent",
    plant(file) {
      const { message, space } = attribute(file, "/plain", "unit");
      // Its extent, and the most that may be.
      for (const dimension of file.either([8, 16], [4, 12])) file.put(space + dimension, 200);
      return error("attribute message", message, "/plain");
    },
  },
  {
    name: "chunks of elements of another size",
    plant(file) {
      file.put(file.message("/grid", "layout").address + file.either(3 + 8 + 8, 5 + 2), 8);
      return error("data layout message", file.address("/grid"), "/grid");
    },
  },
  {
    name: "a fill value of another size",
    plant(file) {
      const { address } = file.message("/other", "fillValue");
      file.put(address + file.either(4, 2), 4);
      return { severity: "error", structure: "fill value message", path: "/other" };
    },
  },
  {
    name: "a dataset without a layout",
    plant(file) {
      const { address } = file.message("/other", "layout");
      file.put(address - file.either(8, 4), 0);
      return error("object header", file.address("/other"), "/other");
    },
  },
  {
    name: "a named datatype that is none",
    plant(file) {
      const { address } = file.message("/typed", "datatype");
      file.putU64(address + 2, file.address("/few"));
      return error("shared message", address, "/typed");
    },
  },
  {
    name: "a datatype of no class",
    plant(file) {
      const { address } = file.message("/other", "datatype");
      file.put(address, 0x1e);
      return { severity: "error", structure: expect.stringContaining("datatype"), path: "/other" };
    },
  },
];
