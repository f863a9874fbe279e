// What src/node.ts uses of Node. The whole of @types/node would give its globals to every file of this package.

declare module "node:fs/promises" {
  interface FileHandle {
    stat(): Promise<{ isFile(): boolean; readonly size: number }>;
    read(target: Uint8Array, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
    close(): Promise<void>;
  }
  function open(path: string | URL, flags: "r"): Promise<FileHandle>;
}
