import type { CompoundDatatype, Datatype } from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";

/**
 * A compound, or arrays of one, as if it had the named members alone; the stored elements stay as they are.
 *
 * @throws InvalidArgumentError for a name that no member has, and a type that is no compound
 */
export function withFields(datatype: Datatype, fields: readonly string[] | undefined): Datatype {
  if (fields === undefined) return datatype;
  if (datatype.class === "array") return { ...datatype, base: withFields(datatype.base, fields) };
  const all = datatype.class === "compound" ? datatype.members : [];
  const members = [...new Set(fields)].map((name): CompoundDatatype["members"][number] => {
    const member = all.find((candidate) => candidate.name === name);
    if (member !== undefined) return member;
    throw new InvalidArgumentError(
      `no member ${JSON.stringify(name)}, expected some of ${JSON.stringify(all.map((each) => each.name))}`,
    );
  });
  return { ...(datatype as CompoundDatatype), members };
}
