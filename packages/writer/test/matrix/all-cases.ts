import { attributes } from "./cases/attributes.ts";
import { fills } from "./cases/fills.ts";
import { filters } from "./cases/filters.ts";
import { heap } from "./cases/heap.ts";
import { layouts } from "./cases/layouts.ts";
import { links } from "./cases/links.ts";
import { objects } from "./cases/objects.ts";
import { scales } from "./cases/scales.ts";
import { spaces } from "./cases/spaces.ts";
import { streams } from "./cases/streams.ts";
import { types } from "./cases/types.ts";
import { virtual } from "./cases/virtual.ts";
import { filesOf, type MatrixFile } from "./matrix-case.ts";

/** Every file of the matrix. */
export function matrixFiles(): MatrixFile[] {
  const groups = { types, heap, spaces, layouts, fills, filters, links, attributes, objects, virtual, scales, streams };
  return Object.entries(groups).flatMap(([group, cases]) => filesOf(group, cases));
}
