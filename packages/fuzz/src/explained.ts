import type { compareDocuments } from "@h5/conformance/compare";
import type { ObjectNode } from "@h5/conformance/document";

/** A place where our reading is not libhdf5's. */
export type Difference = ReturnType<typeof compareDocuments>[number];

/**
 * Why libhdf5 1.10.8 reads what we refuse, by our error. Each was looked up in the source of 1.14.5, most of which
 * refuses it as well.
 */
const OF_ERRORS: readonly (readonly [error: RegExp, reason: string])[] = [
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
  [
    /attribute info message: expected \d+ bytes, got/,
    "1.14.5 refuses it: H5O__ainfo_decode asks for what its flags say",
  ],
  [
    /datatype message: (mantissa|exponent) in bits \[/,
    "1.14.5 refuses it: H5O__dtype_decode_helper holds both against the size",
  ],
  [/data layout message: \d+ dimensions, expected/, "1.14.5 refuses it: H5O__layout_decode"],
  [/filter pipeline message: expected \d+ bytes, got/, "1.14.5 refuses it: H5O__pline_decode asks for what it reads"],
  [/fill value message: expected \d+ bytes, got/, "1.14.5 refuses it: H5O__fill_new_decode asks for what it reads"],
  [/fill value message: flags 0x/, "1.14.5 refuses it: H5O__fill_new_decode knows no more flags"],
  [/gap of \d+ bytes in a block with NIL messages/, "1.14.5 refuses it: H5O__chunk_deserialize"],
  [
    /global heap collection: object size \d+ is above/,
    "1.14.5 refuses it: H5HG__cache_heap_deserialize holds objects against the collection",
  ],
  // What no version looks at.
  [/object header: expected \d+ bytes, got/, "H5FD__sec2_read gives zeros for what is past the end of the file"],
  [/keys \d+ and \d+ are out of order/, "H5B_find and H5B_iterate take a node's keys as they are, and may miss chunks"],
  [
    /chunk B-tree key: .* expected a size of/,
    "H5D__chunk_read takes chunks without filters for as large as the layout says",
  ],
  [
    /fractal heap header: .* is above 2\^53-1/,
    "H5HF__cache_hdr_deserialize takes any statistics, which reading has no use for",
  ],
  [/attribute message: expected character set/, "H5O__attr_decode takes any character set"],
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
  [
    /object header address \d+ is above 2\^53-1/,
    "H5O__link_decode and H5G__ent_decode take any address, at which opening the object then fails",
  ],
  [/dataspace message: flags \d+ in a version/, "H5O__sdspace_decode looks at the one flag it knows"],
  [/global heap collection: a second object/, "H5HG__cache_heap_deserialize lets the later of two objects stand"],
  [/global heap collection: no object 0 among/, "H5HG_read gives the free space as object 0"],
  [
    /global heap collection: free space of/,
    "H5HG__cache_heap_deserialize takes what is behind the free space for objects",
  ],
  [/datatype message: string padding/, "H5O__dtype_decode_helper takes any padding, which the bytes are read without"],
  [
    /no doubling table of width/,
    "H5HF__dtable_init takes any size of blocks for a power of two, which it is where blocks are made",
  ],
  [/expected siblings \d+ and/, "H5B_find and H5B_iterate go from parents to children, not to siblings"],
  [
    /extensible array header: number of super blocks \d+ is above/,
    "H5EA__cache_hdr_deserialize takes any statistics, which reading has no use for",
  ],
  [
    /selection: block \[.*\] ends before/,
    "H5S__hyper_deserialize takes a block that ends just before its start for none",
  ],
  [
    /bytes in one array, which is not to be had/,
    "H5T_set_loc gives text and sequences the size of their references, whatever the file has",
  ],
  [
    /limits\.readBytes allows|an integer of \d+ bytes, at most/,
    "the fixtures' canon.py gives no values of so many bytes, and says how many there are",
  ],
  [/filter pipeline: expected \d+ bytes once decoded, got/, "H5D__chunk_lock does not ask how much the filters gave"],
  [
    /global heap collection: expected \d+ bytes/,
    "1.14.5 refuses it: H5HG__cache_heap_deserialize holds objects against the collection",
  ],
];

/** Where a difference is: our error, or the value that libhdf5 reads, and the dataset's type and layout there. */
interface Place {
  readonly error: string;
  readonly expected: string;
  readonly type: string;
  readonly layout: string | undefined;
}

/** What is so for some datasets alone. */
const OF_DATASETS: readonly (readonly [explains: (place: Place) => boolean, reason: string])[] = [
  [
    ({ error, type }) =>
      type.includes('"kind":"region"') &&
      /global heap collection: (expected|no object)|selection: expected (version|type)/.test(error),
    "region references are read without their heap object, which is read when they are followed",
  ],
  [
    ({ error, type, expected }) => error === "" && isReference(type) && expected === "null",
    "H5G_get_name_by_addr looks for an object in all groups, and gives up at the first thing that does not open",
  ],
  [
    ({ error, type, layout }) => error === "" && isReference(type) && layout === "virtual",
    "H5D__virtual_read copies references of other files, whose addresses are then looked for in the file that is read",
  ],
  [
    ({ error, type, layout }) => error === "" && type.includes('"norm"') && layout === "virtual",
    "H5D__virtual_read converts from the source's type to that of memory, without the virtual dataset's between them",
  ],
];

function isReference(type: string): boolean {
  return type.includes('"class":"reference"');
}

/** What explains that libhdf5 reads otherwise than we, if it is known; `object` or attribute is what it reads there. */
export function reasonOf({ error = "", expected }: Difference, object: ObjectNode | undefined): string | undefined {
  const place: Place = { error, expected, type: JSON.stringify(object?.dtype ?? null), layout: object?.layout };
  const [, ofDataset] = OF_DATASETS.find(([explains]) => explains(place)) ?? [];
  return ofDataset ?? OF_ERRORS.find(([pattern]) => pattern.test(error))?.[1];
}
