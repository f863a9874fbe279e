/** Stands for `node:crypto` in a page, as far as documents need it: SHA-256, by the browser's own, which answers later. */
export function createHash(): { update(bytes: Uint8Array): void; digest(): Promise<string> } {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  return {
    update: (bytes) => void parts.push(new Uint8Array(bytes)),
    async digest() {
      const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await new Blob(parts).arrayBuffer()));
      return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  };
}
