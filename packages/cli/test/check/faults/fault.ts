import { decodeLayout } from "@h5/framing";
import type { Finding } from "../../../src/index.ts";
import type { Planted } from "../planted.ts";

/** What a fault must be found as. */
export type Expected = Partial<Finding> & Pick<Finding, "severity">;

/** One kind of fault. */
export interface Fault {
  readonly name: string;
  /** Found with the data alone. */
  readonly data?: boolean;
  plant(file: Planted): Expected;
}

export function error(structure: string, address: number, path?: string): Expected {
  const expected: Expected = { severity: "error", structure, address };
  return path === undefined ? expected : { ...expected, path };
}

export function warning(structure: string, address: number): Expected {
  return { severity: "warning", structure, address };
}

/** Address of the data or the chunk index of a dataset. */
export function storage(file: Planted, path: string): number {
  const layout = decodeLayout(file.message(path, "layout").body, { offsetSize: 8, lengthSize: 8 });
  if (layout.class === "contiguous") return layout.address!;
  if (layout.class === "chunked") return layout.index.address!;
  throw new Error(`${path} is ${layout.class}`);
}

/** Address of the leaf of a version 2 B-tree. */
export function leaf(file: Planted, header: number): number {
  return file.u64(header + 16);
}
