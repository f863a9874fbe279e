import { expect } from "vitest";
import type { Planted } from "../planted.ts";
import { error, type Fault, leaf, storage, warning } from "./fault.ts";

/** Addresses of the heap and the tree by name of a group with dense links. */
function dense(file: Planted, path: string): { readonly heap: number; readonly tree: number } {
  const { address } = file.message(path, "linkInfo");
  return { heap: file.u64(address + 2), tree: file.u64(address + 10) };
}

/** Faults of groups. */
export const LINK_FAULTS: readonly Fault[] = [
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
    name: "a hard link to nowhere",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/few");
        file.put(node + 16, ...Array<number>(8).fill(0xff));
        return error("symbol table node", node, "/few");
      }
      const { address, body } = file.message("/few", "link");
      file.put(address + body.length - 8, ...Array<number>(8).fill(0xff));
      return error("link message", file.address("/few"), "/few");
    },
  },
  {
    name: "a link beyond numbers, or of another version",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/few");
        file.putU64(node + 16, 2 ** 53);
        return error("symbol table entry", node + 16, "/few");
      }
      const { address } = file.message("/few", "link");
      file.put(address, 2);
      return error("link message", address, "/few");
    },
  },
  {
    name: "a link cut short, or of no kind",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/many");
        file.put(node + 24, 7);
        return error("symbol table entry", node + 24, "/many");
      }
      const node = leaf(file, dense(file, "/many").tree);
      file.put(node + 11, 0xff, 0xff, 0xff);
      return { severity: "error", structure: "fractal heap id", path: "/many" };
    },
  },
  {
    name: "a link whose name is nowhere, or another one's",
    plant(file) {
      if (file.format === "earliest") {
        const { node } = file.symbolTable("/many");
        file.putU64(node + 8, 2 ** 40);
        return error("local heap data segment", file.u64(file.symbolTable("/many").heap + 24), "/many");
      }
      // The record of another link, whose name has another hash.
      const node = leaf(file, dense(file, "/many").tree);
      file.put(node + 10, ...file.bytes.slice(node + 21, node + 28));
      return error("version 2 B-tree record", dense(file, "/many").tree, "/many");
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
];
