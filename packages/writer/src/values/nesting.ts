import type { ComplexArray, StructArray } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";

/** A list of values: an array, a typed array, or the columns a reader gives. */
export type List = readonly unknown[] | TypedArray | StructArray | ComplexArray;

/** Any typed array, of numbers or bigints. */
export type TypedArray = ArrayBufferView & ArrayLike<number | bigint> & Iterable<number | bigint>;

/** Whether a value is a typed array (a `DataView` is none). */
export function isTypedArray(value: unknown): value is TypedArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/** Whether a value is a list of values. */
export function isList(value: unknown): value is List {
  return Array.isArray(value) || isTypedArray(value) || isReaderList(value);
}

/** Whether a value is what a reader gives for compounds and complex numbers; by its shape, whatever copy of the package made it. */
export function isReaderList(value: unknown): value is StructArray | ComplexArray {
  if (value === null || typeof value !== "object" || !("at" in value && typeof value.at === "function")) return false;
  return "fields" in value || "re" in value;
}

/** Lists in lists that data may have: more than any dataspace with arrays in it. Those that hold themselves have no end. */
const MOST_LEVELS = 256;

/**
 * Levels of lists around a value, going by the first in each: 0 for what is no list, 2 for `[[1, 2], [3, 4]]`.
 *
 * @throws InvalidArgumentError for too many
 */
export function levelsOf(data: unknown): number {
  let levels = 0;
  for (let value = data; isList(value); levels++) {
    if (!Array.isArray(value)) return levels + 1;
    if (levels === MOST_LEVELS) throw new InvalidArgumentError(`over ${MOST_LEVELS} lists in one another`);
    value = value[0];
  }
  return levels;
}

/**
 * Data with one value in each list, that with the most lists in it: the first of the sequences in a list may be empty,
 * which tells nothing of the others.
 *
 * @throws InvalidArgumentError for too many lists in one another
 */
export function deepestOf(data: unknown, room: number = MOST_LEVELS): unknown {
  if (!Array.isArray(data) || !data.some(isList)) return data;
  if (room === 0) throw new InvalidArgumentError(`over ${MOST_LEVELS} lists in one another`);
  const inner = data.map((value) => deepestOf(value, room - 1));
  return [inner.reduce((most, value) => (levelsOf(value) > levelsOf(most) || isEmpty(most) ? value : most))];
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** What is inside all plain lists, going by the first in each; `undefined` in an empty one. */
export function innermost(data: unknown): unknown {
  let value = data;
  while (Array.isArray(value) || isTypedArray(value)) value = value[0];
  return value;
}

/** Values in row-major order, and how many there are along each axis. */
export interface FlatValues {
  readonly shape: readonly number[];
  readonly values: List;
}

/**
 * Takes lists in lists apart, `levels` deep. One level, and a typed array, stay as they are.
 *
 * @throws InvalidArgumentError where lists on one level differ in length
 */
export function flatten(data: unknown, levels: number): FlatValues {
  if (levels === 0) return { shape: [], values: [data] };
  const shape: number[] = [];
  let lists: List[] = [data as List];
  for (let level = 1; ; level++) {
    const length = lists[0]?.length ?? 0;
    const uneven = lists.findIndex((list) => list.length !== length);
    if (uneven >= 0) throw ragged(length, lists[uneven]!.length, positionOf(uneven, shape));
    shape.push(length);
    if (level === levels) return { shape, values: joined(lists) };
    lists = innerLists(lists, shape);
  }
}

function innerLists(lists: readonly List[], shape: readonly number[]): List[] {
  const inner: List[] = [];
  for (const list of lists) {
    for (const value of list) {
      if (!isList(value)) {
        throw new InvalidArgumentError(`value ${String(value)} at ${positionOf(inner.length, shape)}, expected a list`);
      }
      inner.push(value);
    }
  }
  return inner;
}

function ragged(expected: number, got: number, position: string): InvalidArgumentError {
  const advice = "lists of different lengths need a dtype of variable length";
  return new InvalidArgumentError(`${got} values at ${position}, expected ${expected}: ${advice}`);
}

/** Position `index` among all in a shape, as `[1][0]`. */
function positionOf(index: number, shape: readonly number[]): string {
  const position: number[] = [];
  let rest = index;
  for (const length of [...shape].reverse()) {
    position.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return position.map((i) => `[${i}]`).join("");
}

/** Lists of one length as one, a typed array where all are of its kind. */
function joined(lists: readonly List[]): List {
  const [first] = lists;
  if (first === undefined) return [];
  if (lists.length === 1) return first;
  if (isTypedArray(first) && lists.every((list) => list.constructor === first.constructor)) {
    return joinedArrays(lists as readonly TypedArray[], first);
  }
  return lists.flatMap((list) => Array.from<unknown>(list));
}

function joinedArrays(lists: readonly TypedArray[], first: TypedArray): TypedArray {
  const length = first.length;
  const all = new (first.constructor as new (length: number) => Float64Array)(length * lists.length);
  for (const [i, list] of lists.entries()) all.set(list as unknown as Float64Array, i * length);
  return all;
}
