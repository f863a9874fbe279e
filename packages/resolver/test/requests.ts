import { asBytes } from "@h5/framing";
import type { ExternalFile } from "@h5/reader";
import type { ResolveRequest } from "../src/index.ts";

/** What a link of the file `from` asks. */
export function linkOf(from: string | undefined, signal?: AbortSignal): ResolveRequest {
  return { kind: "external link", from, signal };
}

/** What tells a file's bytes apart in these tests: all of them as text. */
export async function contentOf(file: ExternalFile | null): Promise<string | undefined> {
  return file === null ? undefined : Buffer.from(asBytes(await file.source.slice(0, 1000))).toString();
}

/** Names that ask for what no file should get at, seen from a folder that has nothing of their last parts. */
export const HOSTILE = [
  "../secret",
  "a/../../secret",
  "..\\secret",
  "a\\..\\..\\secret",
  "/etc/passwd",
  "\\etc\\passwd",
  "//host/share/secret",
  "C:\\secret",
  "c:/secret",
  "file:///etc/passwd",
  "file:/etc/passwd",
  "file:etc/passwd",
  "FILE://localhost/etc/passwd",
  "https://other.example.org/secret",
  "http:\\\\other.example.org\\secret",
] as const;

/** Names that no file can have. */
export const IMPOSSIBLE = ["", "a\0b", "a.h5\0", "a".repeat(4097), "a/".repeat(3000)] as const;

/** How a prefix says that it begins at the folder of the file that asks. */
export const ORIGIN = ["$", "{ORIGIN}"].join("");
