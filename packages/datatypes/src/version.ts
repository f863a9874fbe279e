import { InvalidArgumentError } from "@h5/framing";
import type { ArrayDatatype, CompoundDatatype, CompoundMember, Datatype } from "./datatype.ts";

/** The oldest release that is to read a file, as libhdf5's `H5Pset_libver_bounds` names it. */
export type LowBound = "earliest" | "v18" | "v110" | "v112" | "v114" | "v200";

/**
 * The datatype as libhdf5 writes it at a low bound: in the versions of the datatype message that its parts need, and raised
 * to the bound's where newer versions are shorter (H5T.c, `H5T_set_version`, `H5O_dtype_ver_bounds`). Versions the parts
 * have already count for nothing, nor do bits without a meaning.
 *
 * @throws InvalidArgumentError for references of HDF5 1.12 below its bound and complex numbers below that of 2.0
 */
export function withVersion(t: Datatype, low: LowBound): Datatype {
  const bound = boundVersion(low);
  const needed = neededVersion(t);
  if (needed.version > Math.max(3, bound)) {
    const release = needed.version === 4 ? "v112" : "v200";
    throw new InvalidArgumentError(
      `datatype message version ${needed.version} needs a low bound of ${release}, got ${low}`,
    );
  }
  return bound > needed.version ? upgrade(needed, bound) : needed;
}

function boundVersion(low: LowBound): number {
  switch (low) {
    case "earliest":
      return 1;
    case "v18":
    case "v110":
      return 3;
    case "v112":
    case "v114":
      return 4;
    case "v200":
      return 5;
    default:
      throw new InvalidArgumentError(
        `low bound ${String(low)}, expected "earliest", "v18", "v110", "v112", "v114" or "v200"`,
      );
  }
}

/** The lowest version of the datatype message that can say a type: 4 came with HDF5 1.12, 5 with 2.0. */
export function leastVersion(t: Datatype): number {
  return neededVersion(t).version;
}

/** The type in the lowest versions that can say it. */
function neededVersion({ reserved: _, ...t }: Datatype): Datatype {
  switch (t.class) {
    case "float":
      return { ...t, version: t.order === "VAX" ? 3 : 1 };
    case "reference":
      return { ...t, version: t.kind === "object" || t.kind === "region" ? 1 : 4 };
    case "enum":
      return { ...t, version: 1, base: { ...t.base, version: 1 } };
    case "vlen": {
      const base = neededVersion(t.base);
      return { ...t, version: base.version, base };
    }
    case "array":
      return neededArray(t);
    case "compound":
      return neededCompound(t);
    case "complex":
      return { ...t, version: 5, base: { ...t.base, version: t.base.order === "VAX" ? 3 : 1 } };
    default:
      return { ...t, version: 1 };
  }
}

/** An array is a type of its own from version 2 on; before, it was dimensions of a compound's member. */
function neededArray({ inMember: _, permutation: __, ...t }: ArrayDatatype): ArrayDatatype {
  const base = neededVersion(t.base);
  return { ...t, version: Math.max(2, base.version), base };
}

/**
 * A member of a later version raises the compound, itself and the members before it (H5Tcompound.c, `H5T__insert`); one
 * after it keeps its own.
 */
function neededCompound(t: CompoundDatatype): CompoundDatatype {
  let version = 1;
  let members: CompoundMember[] = [];
  for (const member of t.members) {
    members.push({ ...member, type: neededVersion(member.type) });
    const later = members.at(-1)!.type.version;
    if (later > version) {
      version = later;
      members = members.map((one) => ({ ...one, type: upgrade(one.type, later) }));
    }
  }
  return { ...t, version, members };
}

/** Raises the classes that are shorter in newer versions, and what is made of them (H5T.c, `H5T__upgrade_version_cb`). */
function upgrade(t: Datatype, version: number): Datatype {
  switch (t.class) {
    case "enum":
      return { ...t, version: Math.max(version, t.version) };
    case "array":
      return { ...t, version: Math.max(version, t.version), base: upgrade(t.base, version) };
    case "compound": {
      const members = t.members.map((member) => ({ ...member, type: upgrade(member.type, version) }));
      return { ...t, version: Math.max(version, t.version), members };
    }
    case "vlen": {
      const base = upgrade(t.base, version);
      return { ...t, version: Math.max(base.version, t.version), base };
    }
    default:
      return t;
  }
}
