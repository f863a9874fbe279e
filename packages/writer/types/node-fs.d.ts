// What src/node.ts uses of Node. The whole of @types/node would give its globals to every file of this package.

declare module "node:fs/promises" {
  interface FileHandle {
    write(
      bytes: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): Promise<{ readonly bytesWritten: number }>;
    close(): Promise<void>;
  }
  interface Stats {
    isFile(): boolean;
    readonly mode: number;
  }
  function open(path: string, flags: "wx", mode: number): Promise<FileHandle>;
  function realpath(path: string | URL): Promise<string>;
  function rename(from: string, to: string): Promise<void>;
  function rm(path: string, options: { readonly force: boolean }): Promise<void>;
  function stat(path: string): Promise<Stats>;
}

declare module "node:url" {
  function fileURLToPath(url: URL): string;
}
