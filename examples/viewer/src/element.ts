/** Properties of an element of a page; `aria-…`, `data-…` and `role` are attributes. */
type Properties = Readonly<Record<string, unknown>>;

/** Makes an element. Text stays text: what a file says never becomes markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Properties = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in made && name !== "role") Object.assign(made, { [name]: value });
    else made.setAttribute(name, String(value));
  }
  made.append(...children);
  return made;
}

/** The element of the page with an id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/** A number that the user may change, between 0 and `max`. */
export function numberInput(label: string, max: number, change: (value: number) => void): HTMLElement {
  const input = element("input", { type: "number", min: "0", max: String(max), value: "0" });
  input.addEventListener("change", () => {
    input.value = String(Math.min(Math.max(Math.trunc(Number(input.value)) || 0, 0), max));
    change(Number(input.value));
  });
  return element("label", {}, `${label} `, input, ` of 0 to ${max}`);
}
