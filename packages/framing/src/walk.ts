import { InvalidFieldError } from "./errors.ts";
import { checkLimit, type Limits } from "./limits.ts";
import { all, type Plan } from "./plan.ts";

/**
 * Notes that a walk has come to the node or block at `address`. A tree's nodes each have one parent, so that an address
 * met twice is a cycle or a shared child, which could make a small file take for ever.
 *
 * @throws InvalidFieldError where the walk has been there, LimitExceededError (`nodes`)
 */
export function visitOnce(visited: Set<number>, address: number, structure: string, limits: Limits): void {
  if (visited.has(address)) throw new InvalidFieldError("reached a second time in one walk", { structure, address });
  visited.add(address);
  checkLimit(limits, "nodes", visited.size, { structure, address });
}

/** Runs `read` over `items` in the order of their addresses, which sources like, and gives the results in the items' order. */
export function* inAddressOrder<T, R>(
  items: readonly T[],
  addressOf: (item: T) => number,
  read: (item: T) => Plan<R>,
): Plan<R[]> {
  if (items.length < 2) return items.length === 0 ? [] : [yield* read(items[0]!)];
  const order = items.map((item, slot) => ({ item, slot, address: addressOf(item) }));
  order.sort((a, b) => a.address - b.address);
  const answers = yield* all(plansOf(order, read));
  const results = new Array<R>(items.length);
  order.forEach(({ slot }, i) => {
    results[slot] = answers[i]!;
  });
  return results;
}

function* plansOf<T, R>(order: readonly { readonly item: T }[], read: (item: T) => Plan<R>): Iterable<Plan<R>> {
  for (const { item } of order) yield read(item);
}
