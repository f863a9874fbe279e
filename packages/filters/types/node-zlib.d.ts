// What the sources for Node use of it. The whole of @types/node would give its globals to every file of this package.

declare module "node:zlib" {
  interface ZlibOptions {
    chunkSize?: number;
    maxOutputLength?: number;
  }
  function inflate(
    bytes: Uint8Array,
    options: ZlibOptions,
    done: (error: Error | null, output: Uint8Array) => void,
  ): void;
  function inflateSync(bytes: Uint8Array, options: ZlibOptions): Uint8Array;
  interface DeflateOptions {
    level?: number;
  }
  function deflate(
    bytes: Uint8Array,
    options: DeflateOptions,
    done: (error: Error | null, output: Uint8Array) => void,
  ): void;
  function deflateSync(bytes: Uint8Array, options: DeflateOptions): Uint8Array;
}

declare module "node:buffer" {
  const kMaxLength: number;
}
