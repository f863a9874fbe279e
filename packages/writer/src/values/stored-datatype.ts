import {
  checkDatatype,
  type Datatype,
  hasUnusualUnusedBits,
  type LowBound,
  leastVersion,
  withOffsetSize,
  withVersion,
} from "@h5/datatypes";
import { InvalidArgumentError } from "@h5/framing";

/**
 * A datatype as a file being written holds it: addresses in its elements 8 bytes wide, whatever file it comes from, and in
 * the message versions of a low bound, by default `"v110"`.
 *
 * @throws InvalidArgumentError for a type that is wrong in itself, or that the bound's format cannot hold
 */
export function storedDatatype(t: Datatype, low: LowBound = "v110"): Datatype {
  const wide = withOffsetSize(t, 8);
  // What older releases can read stays so, whatever else the file has in it.
  const stored = withVersion(wide, leastVersion(wide) > 3 || low === "earliest" ? low : "v110");
  checkDatatype(stored);
  if (low === "earliest" && hasUnusualUnusedBits(stored)) {
    throw new InvalidArgumentError(
      "a number that leaves over half of its bits unused, which old object headers cannot hold",
    );
  }
  return stored;
}

/**
 * Refuses new sequences of region references, whose heap objects libhdf5 loses track of. Those of another file may be
 * copied, and a type of them may have a name.
 *
 * @throws InvalidArgumentError
 */
export function checkSequences(t: Datatype): void {
  if (!hasRegionSequences(t)) return;
  throw new InvalidArgumentError("a sequence of region references, which libhdf5 does not keep apart in its heap");
}

function hasRegionSequences(t: Datatype, inSequence: boolean = false): boolean {
  switch (t.class) {
    case "reference":
      return inSequence && t.kind === "region";
    case "vlen":
      return hasRegionSequences(t.base, true);
    case "array":
      return hasRegionSequences(t.base, inSequence);
    case "compound":
      return t.members.some(({ type }) => hasRegionSequences(type, inSequence));
    default:
      return false;
  }
}
