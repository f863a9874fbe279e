import { bytesAsStored, type Values } from "@h5/datatypes";
import { elementCount } from "@h5/selection";
import { noValues } from "./into.ts";
import { flattened } from "./nd-array.ts";
import type { Selector } from "./selector.ts";
import type { Session } from "./session.ts";
import type { Storage } from "./storage.ts";

/**
 * The selected elements as a view of bytes in memory, where they lie there in one piece as they come out; `undefined`
 * where they do not.
 */
export function viewOf(
  session: Session,
  { layout, external, datatype, elementSize }: Storage,
  selector: Selector,
  int64: "bigint" | "number",
): Values | undefined {
  if (layout.class !== "contiguous" || layout.address === undefined || external !== undefined) return undefined;
  const { dims, base } = flattened(datatype);
  const none = noValues(base, int64);
  if (bytesAsStored(base, none) === undefined) return undefined;
  const [first] = selector.contiguousParts(elementSize);
  if (first?.part.runAt === undefined) return undefined;
  const [window] = first.part.windows(elementSize);
  const start = layout.address + first.offset * elementSize + window!.start;
  const length = selector.count * elementSize;
  const bytes = session.data.peek?.(start, start + length);
  if (bytes?.length !== length || !(bytes.buffer instanceof ArrayBuffer) || bytes.byteOffset % base.size !== 0) {
    return undefined;
  }
  const Numbers = none.constructor as Float64ArrayConstructor;
  return new Numbers(bytes.buffer, bytes.byteOffset, selector.count * elementCount(dims));
}
