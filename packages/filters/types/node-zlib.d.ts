// What src/inflate.node.ts uses of Node. The whole of @types/node would give its globals to every file of this package.

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
}

declare module "node:buffer" {
  const kMaxLength: number;
}
