/** Messages remembered of each kind: the attributes of a file are of few types and shapes. */
const MOST = 16;

/** What the last few different messages were decoded to, by their bytes. It is shared, so that nobody may change it. */
export class Recent<T> {
  readonly #known: { readonly body: Uint8Array; readonly value: T }[] = [];

  /** What `body` was decoded to, or now is. */
  get(body: Uint8Array, decode: () => T): T {
    const known = this.#known.find((each) => equal(each.body, body));
    if (known !== undefined) return known.value;
    const value = decode();
    if (this.#known.length === MOST) this.#known.shift();
    // A copy, for a view would keep all that was read with it.
    this.#known.push({ body: body.slice(), value });
    return value;
  }
}

function equal(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
