/** Where the member of a multi file may be that has its superblock extension. */
export interface ExtensionPlace {
  /** Of the member, with `%s` for the whole file's. */
  readonly name: string;
  /** First address of the member. */
  readonly address: bigint;
}

/** From one member to the next, where the multi driver is told nothing else (H5FDmulti.c, `H5FD_multi_populate_config`). */
const DEFAULT_STEP: bigint = 3074457345618258602n;
/** What sets the names of members apart, in the order of their addresses: superblock, B-trees, raw data … */
const LETTERS = "sbrglo";
/** The same for where extensions are, the likeliest first. */
const HEADER_LETTERS = "olbgr";

/**
 * The places to look for the superblock extension of a multi file in, from superblock version 2 on: it tells of the
 * members, and is in one of them itself, that for object headers. libhdf5 must be told of that, or takes the driver's
 * default addresses and names. Here those are tried, names like the root's own too, and then, for a file with other
 * addresses, that the extension begins the member, since it is the first header that a file gets.
 *
 * @param extension address of the extension, the user block counted in
 * @param root name of the member that holds the superblock, as far as it is known
 */
export function* extensionPlaces(extension: bigint, root: string = ""): Generator<ExtensionPlace> {
  const slot = extension / DEFAULT_STEP;
  if (slot > 0n) yield* placesOf(LETTERS.charAt(Number(slot)), slot * DEFAULT_STEP, root);
  for (const letter of HEADER_LETTERS) yield* placesOf(letter, extension, root);
}

/** Members of a letter with the two names they may have: one like the root's, and the driver's default. */
function* placesOf(letter: string, address: bigint, root: string): Generator<ExtensionPlace> {
  const like = /([-_.])s(\.[^./\\?#]*)?$/i.exec(root);
  const names = like === null ? [] : [`%s${like[1]}${letter}${like[2] ?? ""}`];
  for (const name of new Set([...names, `%s-${letter}.h5`])) yield { name, address };
}
