// What src/node.ts and the sources it exports use of Node. The whole of @types/node would give its globals to every file of this package.

declare module "node:fs/promises" {
  interface FileHandle {
    stat(): Promise<{ isFile(): boolean; readonly size: number }>;
    read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
    close(): Promise<void>;
  }
  function open(path: string | URL, flags: number): Promise<FileHandle>;
}

declare module "node:fs" {
  const constants: { readonly O_NONBLOCK?: number | undefined };
  function openSync(path: string | URL, flags: number): number;
  function fstatSync(descriptor: number): { isFile(): boolean; readonly size: number };
  function readSync(descriptor: number, target: Uint8Array, offset: number, length: number, position: number): number;
  function closeSync(descriptor: number): void;
}
