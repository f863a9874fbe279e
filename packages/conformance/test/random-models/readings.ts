import type { Value } from "./dataset-model.ts";

/** What our reader gives, as a plain list: numbers, bigints, strings, records. */
export function elementsOf(data: unknown): Value[] {
  if (typeof data !== "object" || data === null) return [data as Value];
  if (Symbol.iterator in data) return Array.from(data as Iterable<unknown>, plain);
  return [plain(data)];
}

function plain(value: unknown): Value {
  return typeof value === "object" ? { ...(value as Record<string, Value>) } : (value as Value);
}
