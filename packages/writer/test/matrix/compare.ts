import type { Json } from "./expected.ts";

type Record_ = Readonly<Record<string, Json | undefined>>;

/**
 * Where what a reader found differs from what is expected; members that are not expected are not looked at.
 *
 * @param mayLack - members that the reader knows nothing of
 */
export function differences(
  expected: Json | undefined,
  actual: Json | undefined,
  mayLack: ReadonlySet<string> = new Set(),
  at: string = "",
): string[] {
  if (expected === undefined || expected === actual) return [];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) return [`${at}: expected ${expected.length} elements, got ${actual.length}`];
    return expected.flatMap((one, i) => differences(one, actual[i], mayLack, `${at}[${i}]`)).slice(0, 5);
  }
  if (isRecord(expected) && isRecord(actual)) {
    return Object.entries(expected).flatMap(([key, one]) =>
      actual[key] === undefined && mayLack.has(key) ? [] : differences(one, actual[key], mayLack, `${at}/${key}`),
    );
  }
  return [`${at}: expected ${show(expected)}, got ${show(actual)}`];
}

function isRecord(value: Json | undefined): value is Record_ & { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: Json | undefined): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 160);
}
