import { type Datatype, scalarOf, type Values } from "@h5/datatypes";
import type { Attribute } from "./attributes.ts";
import type { Session } from "./session.ts";
import { materialize, type StoredElements, type ValueOptions } from "./values.ts";

/** The values of attributes, each as {@link plainValue} has it. */
export async function readPlainValues(
  session: Session,
  attributes: readonly Attribute[],
  options: ValueOptions,
): Promise<unknown[]> {
  const batches = batched(attributes);
  const read = await materialize(session, batches.map(together), options);
  const values = new Map<Attribute, unknown>();
  for (const [k, batch] of batches.entries()) {
    for (const [i, attribute] of batch.entries()) values.set(attribute, plainValue(attribute, read[k]!, i));
  }
  return attributes.map((attribute) => values.get(attribute));
}

/** Attributes whose values are decoded in one go: single numbers and strings of one type; each other one by itself. */
function batched(attributes: readonly Attribute[]): Attribute[][] {
  const batches = new Map<Datatype | Attribute, Attribute[]>();
  for (const attribute of attributes) {
    const { datatype, dataspace } = attribute;
    const key = dataspace.class === "scalar" && isPlain(datatype) ? datatype : attribute;
    const batch = batches.get(key);
    if (batch === undefined) batches.set(key, [attribute]);
    else batch.push(attribute);
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
