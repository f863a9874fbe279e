import { type Datatype, scalarOf, type Values } from "@h5/datatypes";
import type { Attribute } from "./attributes.ts";
import { plainNumber } from "./plain-number.ts";
import type { Session } from "./session.ts";
import { materialize, type StoredElements, type ValueOptions } from "./values.ts";

/** The values of attributes, each as {@link plainValue} has it. */
export async function readPlainValues(
  session: Session,
  attributes: readonly Attribute[],
  options: ValueOptions,
): Promise<unknown[]> {
  const values: unknown[] = attributes.map(numberOf);
  const batches = batched(attributes, values);
  if (batches.length === 0) return values;
  const stored = batches.map((places) => together(places.map((place) => attributes[place]!)));
  const read = await materialize(session, stored, options);
  for (const [k, places] of batches.entries()) {
    for (const [i, place] of places.entries()) values[place] = plainValue(attributes[place]!, read[k]!, i);
  }
  return values;
}

/** The value of an attribute that is one number of a usual kind. */
function numberOf(attribute: Attribute): number | undefined {
  if (attribute.dataspace.class !== "scalar") return undefined;
  const { datatype, bytes } = attribute.stored();
  return plainNumber(datatype, bytes);
}

/**
 * The places of attributes still without a value. Those of which the values are decoded in one go are together: single
 * numbers and strings of one type; each other one is by itself.
 */
function batched(attributes: readonly Attribute[], values: readonly unknown[]): number[][] {
  const batches = new Map<Datatype | Attribute, number[]>();
  for (const [place, attribute] of attributes.entries()) {
    if (values[place] !== undefined) continue;
    const { datatype, dataspace } = attribute;
    const key = dataspace.class === "scalar" && isPlain(datatype) ? datatype : attribute;
    const batch = batches.get(key);
    if (batch === undefined) batches.set(key, [place]);
    else batch.push(place);
  }
  return [...batches.values()];
}

function isPlain({ class: kind }: Datatype): boolean {
  return kind === "integer" || kind === "float" || kind === "string" || kind === "vlen";
}

function together(batch: readonly Attribute[]): StoredElements {
  const first = batch[0]!.stored();
  if (batch.length === 1) return first;
  const { datatype, bytes } = first;
  const joined = new Uint8Array(batch.length * bytes.length);
  for (const [i, attribute] of batch.entries()) joined.set(attribute.stored().bytes, i * bytes.length);
  return { datatype, bytes: joined, count: batch.length, owned: true };
}

/** One on its own for a scalar dataspace, the one at `i`; `null` for a null one, else all of `data`. */
export function plainValue({ datatype, dataspace }: Attribute, data: Values, i: number): unknown {
  switch (dataspace.class) {
    case "null":
      return null;
    case "scalar":
      return scalarOf(datatype, data, i);
    default:
      return data;
  }
}
