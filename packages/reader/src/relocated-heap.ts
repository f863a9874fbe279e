import { type Datatype, type HeapId, hasHeapIds, relocateHeapIds } from "@h5/datatypes";
import type { Widths } from "@h5/framing";
import { runPlan, type Session, type SignalOptions } from "./session.ts";
import { fetchPayloads } from "./values.ts";

/** A global heap in memory: what elements of several files keep in theirs, under IDs of its own. */
export class RelocatedHeap {
  readonly #objects: Uint8Array[] = [];

  /** The bytes of an object. */
  readonly lookup = ({ index }: HeapId): Uint8Array => this.#objects[index]!;

  /** Takes over what elements keep in the heap of their file, and changes their IDs in place. */
  async take(
    session: Session,
    elements: { readonly datatype: Datatype; readonly bytes: Uint8Array; readonly count: number },
    options: SignalOptions,
  ): Promise<void> {
    const lookup = await runPlan(session, fetchPayloads(session, [elements]), options);
    this.#move(elements.datatype, elements.bytes, elements.count, session, lookup);
  }

  #move(
    datatype: Datatype,
    bytes: Uint8Array,
    count: number,
    widths: Widths,
    lookup: (id: HeapId) => Uint8Array,
  ): void {
    relocateHeapIds(datatype, bytes, count, widths, (use) => {
      const object = new Uint8Array(lookup(use));
      if (use.base !== undefined && hasHeapIds(use.base)) this.#move(use.base, object, use.count, widths, lookup);
      return { address: 1, index: this.#objects.push(object) - 1 };
    });
  }
}
