import {
  type ByteSpan,
  type Datatype,
  type HeapId,
  type HeapUse,
  hasHeapIds,
  hasReferences,
  type Reference,
  relocateHeapIds,
} from "@h5/datatypes";
import { checkLimit } from "@h5/framing";
import { runPlan, type Session, type SignalOptions } from "./session.ts";
import { allocate, type Storage } from "./storage.ts";
import { fetchPayloads, type Spent } from "./values.ts";

/**
 * What elements of several files have in their global heaps, in one heap in memory under IDs of its own, and their
 * references, each of which counts from its own file.
 */
export class RelocatedHeap {
  readonly #objects: Uint8Array[] = [];
  readonly #references: Reference[] = [];
  readonly #spent: Spent = { bytes: 0, elements: 0 };
  readonly #session: Session;
  readonly #storage: Storage;
  /** Bytes of the sequences that were converted. */
  #converted = 0;

  constructor(session: Session, storage: Storage) {
    this.#session = session;
    this.#storage = storage;
  }

  /** The bytes of an object. */
  readonly heap = ({ index }: HeapId): Uint8Array => this.#objects[index]!;

  /** Takes an object in. */
  readonly put = (object: Uint8Array): HeapId => ({ address: 1, index: this.#objects.push(object) - 1 });

  /** Memory for a converted sequence, all of which are bounded: elements of few bytes may become ones of very many. */
  readonly memory = (bytes: number): Uint8Array<ArrayBuffer> => {
    this.#converted += bytes;
    checkLimit(this.#session.limits, "readBytes", this.#converted, { structure: "virtual dataset" });
    return allocate(this.#session, this.#storage, bytes);
  };

  /** The reference for which a number is in the elements. */
  readonly numbered = (number: number): Reference => this.#references[number - 1]!;

  /**
   * Takes over what elements have in their file, and changes the IDs and references in them in place; `times` says how
   * often they will be in the result.
   */
  async take(
    session: Session,
    elements: { readonly datatype: Datatype; readonly bytes: Uint8Array; readonly count: number },
    options: SignalOptions,
    times: number = 1,
  ): Promise<void> {
    if (!isRelocated(elements.datatype)) return;
    const lookup = await runPlan(session, fetchPayloads(session, [elements], this.#spent, times), options);
    this.#move(elements.datatype, elements.bytes, elements.count, session, lookup);
  }

  #move(
    datatype: Datatype,
    bytes: Uint8Array,
    count: number,
    session: Session,
    lookup: (id: HeapId) => ByteSpan,
  ): void {
    const { offsetSize, foldAddress, origin } = session;
    const move = (use: HeapUse): HeapId => {
      const held = lookup(use);
      const object = new Uint8Array(held.bytes.subarray(held.start, held.end));
      if (use.base !== undefined) this.#move(use.base, object, use.count, session, lookup);
      return this.put(object);
    };
    relocateHeapIds(
      datatype,
      bytes,
      count,
      { offsetSize, foldAddress, heap: lookup, from: origin },
      move,
      (reference) => this.#references.push(reference),
    );
  }
}

/** Whether values of a type mean something in their own file alone. */
export function isRelocated(datatype: Datatype): boolean {
  return hasHeapIds(datatype) || hasReferences(datatype);
}
