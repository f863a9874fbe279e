import { type Datatype, encodeDatatype, type LowBound, vlenStringType } from "@h5/datatypes";
import { type DtypeOption, datatypeOf } from "../values/dtype.ts";
import { storedDatatype } from "../values/stored-datatype.ts";

/** What a file makes of datatypes, worked out once for each: there are few for very many objects and appends. */
export class FileTypes {
  /** The oldest release that is to read the file. */
  readonly low: LowBound;
  /** What strings are where nothing else is said. */
  readonly text: Datatype;
  readonly #stored = new WeakMap<Datatype, Datatype>();
  readonly #encoded = new WeakMap<Datatype, Uint8Array<ArrayBuffer>>();

  readonly #named = new Map<string, Datatype>();

  constructor(low: LowBound) {
    this.low = low;
    this.text = vlenStringType();
  }

  /**
   * The datatype an option stands for.
   *
   * @throws InvalidArgumentError as `datatypeOf`
   */
  of(option: DtypeOption): Datatype {
    const known = typeof option === "string" ? this.#named.get(option) : undefined;
    if (known !== undefined) return known;
    const datatype = datatypeOf(option, { libver: this.low });
    if (typeof option === "string") this.#named.set(option, datatype);
    return datatype;
  }

  /**
   * A datatype as the file holds it.
   *
   * @throws InvalidArgumentError as `storedDatatype`
   */
  stored(datatype: Datatype): Datatype {
    const known = this.#stored.get(datatype);
    if (known !== undefined) return known;
    const stored = storedDatatype(datatype, this.low);
    this.#stored.set(datatype, stored);
    // What is stored as it is once is so again.
    this.#stored.set(stored, stored);
    return stored;
  }

  /** The message of a datatype, which is not to be changed. */
  encoded(datatype: Datatype): Uint8Array<ArrayBuffer> {
    const known = this.#encoded.get(datatype);
    if (known !== undefined) return known;
    const bytes = encodeDatatype(datatype);
    this.#encoded.set(datatype, bytes);
    return bytes;
  }
}
