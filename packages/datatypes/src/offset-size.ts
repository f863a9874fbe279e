import { arrayLength, type CompoundDatatype, type Datatype } from "./datatype.ts";
import { storedBase } from "./values/references.ts";
import { VLEN_OTHERS } from "./values/sequences.ts";

/**
 * The datatype as a file with addresses of another width stores it: references and variable-length values take more or less
 * room, and the members of compounds behind them move (H5T.c, `H5T_set_loc`). Values in the global heap are of such types
 * again.
 */
export function withOffsetSize(t: Datatype, offsetSize: number): Datatype {
  switch (t.class) {
    case "vlen":
      return { ...t, size: VLEN_OTHERS + offsetSize, base: withOffsetSize(t.base, offsetSize) };
    case "reference":
      return storedBase(t, offsetSize);
    case "array": {
      const base = withOffsetSize(t.base, offsetSize);
      return { ...t, size: arrayLength(t) * base.size, base };
    }
    case "compound":
      return compoundWithOffsetSize(t, offsetSize);
    default:
      return t;
  }
}

function compoundWithOffsetSize(t: CompoundDatatype, offsetSize: number): CompoundDatatype {
  const types = t.members.map(({ type }) => withOffsetSize(type, offsetSize));
  const growth = (before: number): number =>
    t.members.reduce((sum, m, i) => (m.offset < before ? sum + types[i]!.size - m.type.size : sum), 0);
  const members = t.members.map((member, i) => ({
    ...member,
    offset: member.offset + growth(member.offset),
    type: types[i]!,
  }));
  return { ...t, size: t.size + growth(t.size), members };
}
