import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import h5wasm, { type File } from "h5wasm/node";

/** On Node, libhdf5 in WebAssembly sees the real file system. */
const folder = mkdtempSync(join(tmpdir(), "h5-built-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** Puts bytes where libhdf5 (2.0.0, in WebAssembly) finds them; what `use` leaves behind can be taken back. */
export async function libhdf5(bytes: Uint8Array): Promise<{
  /** Opens the file, hands it over and closes it. */
  open<T>(mode: "r" | "a", use: (file: File) => T): T;
  /** The file as it is now. */
  bytes(): Uint8Array<ArrayBuffer>;
}> {
  const { FS } = await h5wasm.ready;
  const path = join(folder, `${files++}.h5`);
  FS.writeFile(path, bytes);
  return {
    open(mode, use) {
      const file = new h5wasm.File(path, mode);
      if (file.file_id < 0n) throw new Error("libhdf5 does not open the file");
      const result = use(file);
      file.close();
      return result;
    },
    bytes: () => new Uint8Array(FS.readFile(path)),
  };
}
