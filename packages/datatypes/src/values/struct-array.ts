import { NotFoundError } from "@h5/framing";
import type { Datatype } from "../datatype.ts";
import type { DtypeName } from "../dtype.ts";

/** A member of a compound, as a column. */
export interface StructField {
  readonly name: string;
  readonly dtype: DtypeName;
  /** Bytes from the start of the stored element. */
  readonly offset: number;
  readonly datatype: Datatype;
}

/** The values of one column; which container, its dtype says. */
export type Column = ArrayLike<unknown> | { readonly length: number; at(i: number): unknown };

/** What a {@link StructArray} is made of: `decode` gives the values of a column when it is first asked for. */
export interface StructSource {
  readonly length: number;
  readonly fields: readonly StructField[];
  decode(field: StructField): Column;
  scalar(field: StructField, column: Column, i: number): unknown;
}

/**
 * Compound values as columns that are decoded when first asked for, and kept; no object is made for a row until one is
 * asked for.
 */
export class StructArray implements Iterable<Record<string, unknown>> {
  readonly length: number;
  readonly fields: readonly StructField[];
  readonly #source: StructSource;
  readonly #columns: Map<string, Column> = new Map();
  readonly #Row: RowConstructor = rowConstructor();
  #rowColumns: readonly Column[] | undefined;

  constructor(source: StructSource) {
    this.length = source.length;
    this.fields = source.fields;
    this.#source = source;
  }

  /**
   * The values of one member, in the container of its dtype (a nested compound is a `StructArray`).
   *
   * @throws NotFoundError where there is no such member, and what decoding the values throws
   */
  column<T = Column>(name: string): T {
    const known = this.#columns.get(name);
    if (known !== undefined) return known as T;
    const field = this.fields.find((candidate) => candidate.name === name);
    if (field === undefined) throw new NotFoundError(`no member "${name}" in this compound`);
    const column = this.#source.decode(field);
    this.#columns.set(name, column);
    return column as T;
  }

  /** Row `i`, counted from the end where negative, as an object that inherits nothing; `undefined` outside. */
  at(i: number): Record<string, unknown> | undefined {
    const index = i < 0 ? i + this.length : i;
    if (!(index >= 0 && index < this.length)) return undefined;
    this.#rowColumns ??= this.fields.map(({ name }) => this.column(name));
    const row = new this.#Row();
    for (let k = 0; k < this.fields.length; k++) {
      const field = this.fields[k]!;
      row[field.name] = this.#source.scalar(field, this.#rowColumns[k]!, index);
    }
    return row;
  }

  *[Symbol.iterator](): Generator<Record<string, unknown>> {
    for (let i = 0; i < this.length; i++) yield this.at(i)!;
  }
}

type RowConstructor = new () => Record<string, unknown>;

/**
 * Makes objects with nothing to inherit, so that a member may have any name. Made by a constructor, they share a hidden
 * class; those of `Object.create(null)` are hash tables, several times slower to fill.
 */
function rowConstructor(): RowConstructor {
  // biome-ignore lint/complexity/useArrowFunction: an arrow function is no constructor
  const row = function (): void {};
  row.prototype = Object.create(null);
  return row as unknown as RowConstructor;
}
