import { folderOf } from "./location.ts";

/**
 * Names under which a member of a file of the family or multi driver is looked for (H5FDfamily.c, H5FDmulti.c; see
 * `Resolver.open` for what is asked). Neither driver stores the name its user gave, so it is taken from the root's: the
 * root of a family is its member 0, of a multi file the member that holds the superblock.
 *
 * @param name index of a family's member, template with `%s` of a multi file's, or a name as it is
 * @param from name of the root
 * @param siblings names in the root's folder, where they are known
 */
export function memberNames(name: string, from: string, siblings: readonly string[] = []): string[] {
  const root = from.slice(folderOf(from).length);
  if (name.includes("%s")) return stems(root).map((stem) => name.replaceAll("%s", () => stem));
  return /^\d+$/.test(name) ? familyNames(Number(name), root, siblings) : [name];
}

/** What the user's name may have been: the root's, less what sets members apart (`-s.h5`), less its extension, or whole. */
function stems(root: string): string[] {
  const bare = withoutExtension(root);
  return [...new Set([bare.replace(/[-_.][a-z]+$/i, ""), bare, root])];
}

/** The root's name with its last run of zeros counted on; without one, the only sibling with the root's stem and this number. */
function familyNames(index: number, root: string, siblings: readonly string[]): string[] {
  const stem = withoutExtension(root);
  const zeros = [...stem.matchAll(/(?<!\d)0+(?!\d)/g)].at(-1);
  if (zeros !== undefined) {
    const digits = String(index).padStart(zeros[0].length, "0");
    return [stem.slice(0, zeros.index) + digits + root.slice(zeros.index + zeros[0].length)];
  }
  const numbered = siblings.filter((sibling) => sibling.startsWith(stem) && numberAfter(sibling, stem) === index);
  return numbered.length === 1 ? numbered : [];
}

function numberAfter(name: string, stem: string): number | undefined {
  const digits = /^\D*(\d+)\D*$/.exec(withoutExtension(name).slice(stem.length))?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, "");
}
