/**
 * Why libhdf5 1.10.8 reads what we refuse, by our error. Each was looked up in the source of 1.14.5, most of which
 * refuses it as well.
 */
const REASONS: readonly (readonly [error: RegExp, reason: string])[] = [
  // What 1.14.5 refuses.
  [
    /datatype message: bits \[/,
    "1.14.5 refuses it: H5O__dtype_decode_helper holds offset and precision against the size",
  ],
  [/dataspace message: dimension \d+ is \d+, above its maximum/, "1.14.5 refuses it: H5O__sdspace_decode"],
  [
    /attribute message: expected \d+ bytes, got/,
    "1.14.5 refuses it: H5O__attr_decode holds its sizes against the message's",
  ],
  [/chunk offset \d+ is no multiple of|begins inside an element/, "1.14.5 refuses it: H5D__btree_decode_key"],
  [
    /global heap object: object \d+ has \d+ bytes, expected/,
    "1.14.5 refuses it: H5VL__native_blob_get compares the sizes",
  ],
  // What no version looks at.
  [/fill value defined \d+, expected 0 or 1/, "H5O__fill_new_decode takes all but 0 for 1"],
  [/fill value message: (write|allocation) time/, "H5O__fill_new_decode takes any time, which reading has no use for"],
  [/permutation indices in a version 1 message/, "H5O__sdspace_decode leaves them unread: they were never implemented"],
  [
    /keys outside those its parent has for it/,
    "H5B_find does not hold a node's keys against its parent's, and may miss chunks",
  ],
  [
    /data layout message: expected elements of \d+ bytes/,
    "H5D__chunk_io_init does not hold a chunk's last dimension against the datatype",
  ],
  [
    /free block size \d+ is above 2\^53-1/,
    "H5HL__fl_deserialize adds a free block's offset and size without regard to overflow",
  ],
  [
    /chunk offset \d+ is above 2\^53-1/,
    "H5D__btree_decode_key takes any multiple of the chunk's, of which those outside are not met",
  ],
  [
    /chunk index address \d+ is above 2\^53-1/,
    "H5O__layout_decode takes any address, of which reading the chunks then fails",
  ],
  [
    /extensible array index block: block address \d+ is above 2\^53-1/,
    "H5EA__cache_iblock_deserialize takes any address, which is used where one of the block's elements is asked for",
  ],
  [
    /data layout message: data address \d+ is above 2\^53-1/,
    "H5O__layout_decode takes any address, of which reading the elements then fails",
  ],
  [
    /data layout message: expected layout class/,
    "H5D__virtual_open_source_dset takes a source that does not open for a missing one",
  ],
  [/dataspace message: flags \d+ in a version 2/, "H5O__sdspace_decode looks at the one flag it knows"],
  [/global heap collection: a second object/, "H5HG__cache_heap_deserialize lets the later of two objects stand"],
  [/global heap collection: no object 0 among/, "H5HG_read gives the free space as object 0"],
  [/filter pipeline: expected \d+ bytes once decoded, got/, "H5D__chunk_lock does not ask how much the filters gave"],
  [
    /global heap collection: expected \d+ bytes/,
    "region references are read without their heap object, which is read when they are followed",
  ],
];

/** What explains that libhdf5 reads where we give an error, if it is known. */
export function reasonOf(error: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(error))?.[1];
}
