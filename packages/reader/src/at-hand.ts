import { all, type Plan } from "@h5/framing";

/** What is at hand as it is, and what the plans among it come to, run together: a plan for each would cost more. */
export function* withPlanned<T extends object>(items: readonly (T | Plan<T>)[]): Plan<T[]> {
  if (!items.some(isPlan<T>)) return items as T[];
  const planned = yield* all(items.filter(isPlan<T>));
  let next = 0;
  return items.map((item) => (isPlan(item) ? planned[next++]! : item));
}

function isPlan<T extends object>(item: T | Plan<T>): item is Plan<T> {
  return "next" in item;
}
