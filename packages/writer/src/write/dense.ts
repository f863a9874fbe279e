import {
  type AttributeRecord,
  attributeNameRecords,
  attributeOrderRecords,
  buildV2Tree,
  linkNameRecords,
  linkOrderRecords,
} from "@h5/btree";
import { compareBytes, encodeText, type FileSpace, lookup3, messageFlag } from "@h5/framing";
import { attributeHeap, buildFractalHeap, linkHeap } from "@h5/heap";

/** Links of a group, or attributes of an object, that are too many or too large for its header. */
export interface DenseAddresses {
  readonly heapAddress: number;
  readonly nameIndexAddress: number;
  readonly orderIndexAddress: number | undefined;
}

/** A link or attribute with the message that holds it. */
export interface DenseMember {
  readonly name: string;
  readonly body: Uint8Array;
  /** Attributes: flags of the message. */
  readonly flags?: number | undefined;
}

interface Indexed {
  readonly name: string;
  readonly hash: number;
  readonly creationOrder: number;
  readonly heapId: Uint8Array;
  readonly flags: number;
}

/** Writes links densely (spec IV.A.2.c; H5Gdense.c); `members` in their order of creation. */
export function buildDenseLinks(space: FileSpace, members: readonly DenseMember[], ordered: boolean): DenseAddresses {
  const { address, ids } = buildFractalHeap(
    space,
    members.map(({ body }) => body),
    linkHeap,
  );
  const indexed = indexedMembers(members, ids);
  return {
    heapAddress: address,
    nameIndexAddress: buildV2Tree(space, linkNameRecords(), byName(indexed)),
    orderIndexAddress: ordered ? buildV2Tree(space, linkOrderRecords(), indexed) : undefined,
  };
}

/** Writes attributes densely (spec IV.A.2.v; H5Adense.c); `members` in their order of creation. */
export function buildDenseAttributes(
  space: FileSpace,
  members: readonly DenseMember[],
  ordered: boolean,
): DenseAddresses {
  // A shared message is in the file's own heap already: its body says where.
  const own = members.filter((member) => !isShared(member));
  const heap = buildFractalHeap(
    space,
    own.map(({ body }) => body),
    attributeHeap,
  );
  let next = 0;
  const ids = members.map((member) => (isShared(member) ? decodeSharedId(member.body) : heap.ids[next++]!));
  const indexed: readonly (Indexed & AttributeRecord)[] = indexedMembers(members, ids);
  return {
    heapAddress: heap.address,
    nameIndexAddress: buildV2Tree(space, attributeNameRecords(), byName(indexed)),
    orderIndexAddress: ordered ? buildV2Tree(space, attributeOrderRecords(), indexed) : undefined,
  };
}

function isShared({ flags = 0 }: DenseMember): boolean {
  return (flags & messageFlag.shared) !== 0;
}

/** The heap id in a pointer to a shared message (spec IV.A.2, "Shared Message"). */
function decodeSharedId(body: Uint8Array): Uint8Array {
  return body.subarray(2, 10);
}

function indexedMembers(members: readonly DenseMember[], ids: readonly Uint8Array[]): Indexed[] {
  return members.map(({ name, flags = 0 }, creationOrder) => {
    return { name, hash: lookup3(encodeText(name)), creationOrder, heapId: ids[creationOrder]!, flags };
  });
}

/** By hash; names of one hash by their bytes (H5Gbtree2.c, H5Abtree2.c). */
function byName<T extends Indexed>(members: readonly T[]): T[] {
  return [...members].sort((a, b) => a.hash - b.hash || compareBytes(encodeText(a.name), encodeText(b.name)));
}
