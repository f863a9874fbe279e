import { type AddressMoves, type Datatype, hasAddresses, relocateAddresses } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import type { ObjectModel } from "./objects.ts";

/** Throws where a reference cannot lead to `object`. */
export type TargetCheck = (object: ObjectModel) => void;

/**
 * What stands for addresses before anything has one. Elements are encoded when they are added, long before the objects
 * they refer to and the heap objects they lead to are placed: an object's address is then the number of a target here,
 * a heap collection's its ordinal in a `ValueHeap`; both count from 1, since 0 is the address of nothing.
 */
export class Targets {
  readonly #numbers = new Map<string, number>();
  readonly #paths: string[] = [];
  readonly #checks: { readonly path: string; readonly check: TargetCheck }[] = [];

  /** The number that stands for the object at `path`, which may be added later. */
  numberOf(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    this.#paths.push(path);
    this.#numbers.set(path, this.#paths.length);
    return this.#paths.length;
  }

  /** Has the object that will be at `path` looked at once it is there. */
  checkLater(path: string, check: TargetCheck): void {
    this.#checks.push({ path, check });
  }

  /** What forgets the targets that are added from now on. */
  undo(): () => void {
    const count = this.#paths.length;
    const checks = this.#checks.length;
    return () => {
      this.#checks.length = checks;
      for (const path of this.#paths.splice(count)) this.#numbers.delete(path);
    };
  }

  /** All targets, each found by `find`; a reference to what is not there, or does not suit it, ends the write. */
  resolve(find: (path: string) => ObjectModel | undefined): ObjectModel[] {
    const objects = this.#paths.map((path) => {
      const object = find(path);
      if (object === undefined) throw new InvalidArgumentError("a reference leads to no object of the file", { path });
      return object;
    });
    for (const { path, check } of this.#checks) check(objects[this.#numbers.get(path)! - 1]!);
    return objects;
  }
}

/** What placeholders become. */
export interface Placement {
  /** The address of a target. */
  objectAddress(target: number): number;
  /** The address of a collection of values or, where `referred`, of what references lead to. */
  collectionAddress(collection: number, referred: boolean): number;
}

/** Puts addresses in the place of placeholders in `count` packed elements, in place. */
export function placeElements(t: Datatype, bytes: Uint8Array, count: number, placement: Placement): void {
  if (count > 0 && hasAddresses(t)) relocateAddresses(t, bytes, count, movesOf(placement));
}

/** What {@link placeElements} does, as the datatypes package calls it. */
export function movesOf(placement: Placement): AddressMoves {
  return {
    object: (target) => placement.objectAddress(target),
    heap: ({ address, index, reference }) => ({
      address: placement.collectionAddress(address, reference !== undefined),
      index,
    }),
  };
}
