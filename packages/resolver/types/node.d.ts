// What src/node.ts uses of Node. The whole of @types/node would give its globals to every file of this package.

declare module "node:fs/promises" {
  function readdir(path: string): Promise<string[]>;
  function realpath(path: string): Promise<string>;
  function stat(path: string): Promise<{ isFile(): boolean }>;
}

declare module "node:path" {
  const sep: "/" | "\\";
  function isAbsolute(path: string): boolean;
  function relative(from: string, to: string): string;
  function resolve(...paths: string[]): string;
}

declare module "node:url" {
  function fileURLToPath(url: string | URL): string;
}
