import { checkLimit, InvalidFieldError } from "@h5/framing";
import type { Session } from "./session.ts";

/** The virtual datasets that one is a source of, outermost first, and what the outermost has cost below itself. */
export interface Nesting {
  readonly above: readonly string[];
  readonly cost: { spent: number };
}

/** What opening one nested source costs, where looking at one mapping costs 1. */
const SOURCE_COST = 8000;

/**
 * The nesting for the sources of a virtual dataset with the header at `address`, which has `mappings` mappings. A few
 * datasets, each twice the source of the next, would otherwise have the last read more often than can be.
 *
 * @throws InvalidFieldError where it is a source of itself, LimitExceededError (`linkDepth`, `nodes`)
 */
export function enterVirtual(
  session: Session,
  address: number,
  mappings: number,
  nesting: Nesting = { above: [], cost: { spent: 0 } },
): Nesting {
  const place = { structure: "virtual dataset", address };
  const key = `${session.name ?? ""}\0${address}`;
  const { above, cost } = nesting;
  if (above.includes(key)) throw new InvalidFieldError("is a source of itself", place);
  checkLimit(session.limits, "linkDepth", above.length, place);
  if (above.length > 0) cost.spent += SOURCE_COST + mappings;
  checkLimit(session.limits, "nodes", cost.spent, place);
  return { above: [...above, key], cost };
}
