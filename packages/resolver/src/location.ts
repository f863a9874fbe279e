/**
 * The names under which the file that a link, a mapping or a raw-data slot names is looked for: as it is written in each
 * of `folders`, then its last part in each of them, for files that were moved together (H5L.rst, "external links";
 * H5Fint.c, `H5F_prefix_open_file`). Of an absolute name only the last part is used. `\` parts names as `/` does, since a
 * file may have been written on Windows. Names that would be the same are given once. What may be opened is not decided
 * here.
 *
 * @param name the file's name as stored
 * @param folders paths or URLs that end in `/`, or `""` for no folder
 * @param encode how a part of the name is written there
 */
export function candidateNames(
  name: string,
  folders: readonly string[],
  encode: (part: string) => string = (part) => part,
): string[] {
  const names = isAbsolute(name) ? [] : [encodeParts(name, encode)];
  const last = lastPart(name);
  if (!["", ".", ".."].includes(last)) names.push(isUrl(name) ? last : encode(last));
  return [...new Set(names.flatMap((part) => folders.map((folder) => foldName(folder + part))))];
}

function lastPart(name: string): string {
  const path = isUrl(name) ? name.replace(/[?#].*$/s, "") : name;
  return path.split(/[\\/]/).at(-1)!;
}

/** A name with each of its parts encoded, `/` between them. */
export function encodeParts(name: string, encode: (part: string) => string): string {
  return name.split(/[\\/]/).map(encode).join("/");
}

/** Whether a name begins at a root, a drive or a scheme. A colon further on is part of a name (`run:1.h5`). */
export function isAbsolute(name: string): boolean {
  return /^([\\/]|[a-z]:[\\/]|file:|[a-z][a-z\d+.-]*:[\\/]{2})/i.test(name);
}

/** Whether a name is a URL that names its host, or a `file:` one. */
export function isUrl(name: string): boolean {
  return /^(file:|[a-z][a-z\d+.-]+:[\\/]{2})/i.test(name);
}

/** The folder of a path or URL with its `/`, the URL's query left out; `""` where there is none. */
export function folderOf(name: string): string {
  const path = isUrl(name) ? name.replace(/[?#].*$/s, "") : name;
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/**
 * A name with empty and `.` parts left out and `..` folded into what stands before it. A leading `/`, a drive, a URL's
 * scheme and host, and a `..` that nothing stands before, stay.
 */
export function foldName(name: string): string {
  const root = /^([a-z][a-z\d+.-]+:\/\/[^/]*|[a-z]:(?=\/))?\/*/i.exec(name)![0];
  const parts: string[] = [];
  for (const part of name.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return root + parts.join("/");
}
