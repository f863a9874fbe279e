import { type Datatype, decodeValues, type Values } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";
import { elementCount } from "@h5/selection";
import { flattened } from "./nd-array.ts";

/** A caller's array that takes the values of a read. */
export interface Receiver {
  /** Its memory, where the stored elements may be read into it and become the values there. */
  readonly memory: Uint8Array | undefined;
  /** Puts values in it that came out elsewhere. */
  take(values: unknown): void;
}

/** No elements of a type: the container that those there are come out in. */
export function noValues(datatype: Datatype, int64: "bigint" | "number"): Values {
  return decodeValues(datatype, new Uint8Array(0), 0, { int64, heap: () => undefined });
}

/**
 * Sees an array as what takes `count` elements of a type.
 *
 * @throws InvalidArgumentError where the elements come out as no such typed array, or it has another length
 */
export function receiverOf(into: unknown, datatype: Datatype, count: number, int64: "bigint" | "number"): Receiver {
  const { dims, base } = flattened(datatype);
  const none = noValues(base, int64);
  if (!ArrayBuffer.isView(none) || none.constructor !== (into as object).constructor) {
    throw new InvalidArgumentError("`into` must be a typed array of the kind the dataset's elements come out as");
  }
  const array = into as typeof none;
  const length = count * elementCount(dims);
  if (array.length !== length) {
    throw new InvalidArgumentError(`\`into\` must have ${length} elements, got ${array.length}`);
  }
  const memory = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return {
    memory: array.BYTES_PER_ELEMENT === base.size ? memory : undefined,
    take(values) {
      if ((values as typeof none).buffer !== array.buffer) array.set(values as never);
    },
  };
}
