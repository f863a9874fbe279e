import { expect } from "vitest";
import type { Planted } from "../planted.ts";
import { error, type Fault, leaf, storage } from "./fault.ts";

/** First chunk of a dataset that has checksums: the array of its index, or the tree's node, leads to it. */
function packedChunk(file: Planted): number {
  const index = storage(file, "/packed");
  // Behind the node's head and first key; or in the data block, behind its prefix.
  return file.u64(file.format === "earliest" ? index + 24 + 32 : file.u64(index + 16) + 14);
}

/** Faults of datasets and of where their elements are. */
export const STORAGE_FAULTS: readonly Fault[] = [
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
];
