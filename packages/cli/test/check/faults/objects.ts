import { decodeAttribute } from "@h5/framing";
import { expect } from "vitest";
import type { Planted } from "../planted.ts";
import { error, type Fault, storage, warning } from "./fault.ts";

/** Where an attribute of an object is: its message, and in it its dataspace and its value. */
function attribute(file: Planted, path: string, name: string): { message: number; space: number; data: number } {
  for (let which = 0; ; which++) {
    const { body, address } = file.message(path, "attribute", which);
    const frame = decodeAttribute(body, { offsetSize: 8, lengthSize: 8 }, address);
    if (frame.name === name) return { message: address, space: frame.dataspaceAddress!, data: frame.dataAddress! };
  }
}

/** Faults of object headers, attributes, and what elements lead to. */
export const OBJECT_FAULTS: readonly Fault[] = [
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
    name: "a value in a heap to which nothing leads",
    data: true,
    plant(file) {
      const data = storage(file, "/names");
      file.putU64(data + 8, 0);
      file.put(data, 0, 0, 0, 0);
      return warning("global heap collection", file.u64(data + 16 + 4));
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
