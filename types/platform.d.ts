// The platform globals the layer packages use. Declared here because `types: []` without the DOM library lacks them,
// and because a package must not come to depend on more of a platform than this by accident.

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: ArrayBufferView | ArrayBufferLike): string;
}

declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

declare class URL {
  constructor(url: string, base?: string | URL);
  readonly href: string;
  readonly protocol: string;
  readonly pathname: string;
}

interface Blob {
  readonly size: number;
  slice(start?: number, end?: number): Blob;
  arrayBuffer(): Promise<ArrayBuffer>;
}

interface Headers {
  get(name: string): string | null;
}

interface Response {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly body: { cancel(): Promise<void> } | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}
