/** A value as an error shows it: text in quotes, lists by their members, other objects by their kind. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value))
    return `[${value.map((member) => (Array.isArray(member) ? "[…]" : shown(member))).join(", ")}]`;
  return typeof value === "object" && value !== null ? Object.prototype.toString.call(value) : String(value);
}
