import { expect } from "vitest";
import type { Planted } from "../planted.ts";
import { error, type Fault, storage, warning } from "./fault.ts";

/** Where the superblock has the end of the file. */
const endField = (file: Planted): number => file.either(40, 28);

/** Faults of the file as a whole, and of where things are in it. */
export const FILE_FAULTS: readonly Fault[] = [
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
];
