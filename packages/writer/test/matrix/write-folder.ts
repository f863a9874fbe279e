import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MatrixFile } from "./matrix-case.ts";

/** Writes a file of the matrix into a folder, and beside `<name>.h5` what must be in it as `<name>.declared.json`. */
export async function writeInto(folder: string, { name, write }: MatrixFile): Promise<string> {
  const { bytes, expected, beside } = await write();
  const path = join(folder, `${name}.h5`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  writeFileSync(join(folder, `${name}.declared.json`), JSON.stringify(expected));
  for (const [side, content] of beside) writeFileSync(join(dirname(path), side), content);
  return path;
}
