import { type LinkOrderRecord, linkNameRecords, linkOrderRecords } from "@h5/btree";
import { type DenseStorage, decodeLink, type Link, type Plan } from "@h5/framing";
import { type Check, fault, guardNow } from "./check.ts";
import { checkHash, checkHeapAndNames } from "./dense-storage.ts";
import { visitObjects } from "./heap-objects.ts";
import { checkV2Tree } from "./v2-tree.ts";

/** Notes a hard link, whose object is to be looked at. */
export function followLink(check: Check, parent: string, name: string, address: number): void {
  check.links.set(address, (check.links.get(address) ?? 0) + 1);
  check.queue.push({ address, path: `${parent === "/" ? "" : parent}/${name}` });
}

/** Follows the links in messages of a group's header, whose names must differ. */
export function checkLinks(check: Check, links: readonly Link[], address: number, path: string): void {
  const names = new Set<string>();
  for (const link of links) {
    const { name } = link;
    if (names.has(name)) {
      const message = `a second link is called ${JSON.stringify(name)}`;
      fault(check, { structure: "link message", address, path, message });
    }
    names.add(name);
    if (link.type === "hard" && link.address !== undefined) followLink(check, path, name, link.address);
    else if (link.type === "external") {
      const { file, target } = link;
      check.otherFiles.push({ kind: "external link", file, object: target, structure: "link message", address, path });
    } else if (link.type === "hard" || (link.type === "user" && link.class === 64)) {
      const message = `the ${link.type === "hard" ? "hard" : "external"} link ${JSON.stringify(name)} leads nowhere`;
      fault(check, { structure: "link message", address, path, message });
    }
  }
}

/** Checks the links that a group keeps in a fractal heap, and the trees over them. */
export function* checkDenseLinks(check: Check, storage: DenseStorage, path: string): Plan<void> {
  const opened = yield* checkHeapAndNames(check, storage, linkNameRecords(), path);
  if (opened === undefined) return;
  const { heap, records, heapAddress, nameIndexAddress } = opened;
  const { orderIndexAddress } = storage;
  const ordered =
    orderIndexAddress === undefined
      ? undefined
      : yield* checkV2Tree(check, orderIndexAddress, linkOrderRecords(), path);
  if (heap === undefined) return;
  const links = new Map<string, Link>();
  const ids = records.map(({ heapId }) => heapId);
  yield* visitObjects(check, heap, ids, (object, slot) => {
    const record = records[slot]!;
    const link = guardNow(check, path, () => decodeLink(object, check));
    if (link === undefined) return;
    checkHash(check, record, link.name, nameIndexAddress, path);
    links.set(record.heapId.join(), link);
  });
  checkLinks(check, [...links.values()], heapAddress, path);
  if (ordered !== undefined) checkOrder(check, ordered, links, records.length, { address: orderIndexAddress!, path });
}

function checkOrder(
  check: Check,
  ordered: readonly LinkOrderRecord[],
  links: ReadonlyMap<string, Link>,
  count: number,
  { address, path }: { readonly address: number; readonly path: string },
): void {
  const place = { structure: "version 2 B-tree record", address, path };
  if (ordered.length !== count) {
    fault(check, { ...place, message: `${ordered.length} links by creation order, ${count} by name` });
  }
  for (const { creationOrder, heapId } of ordered) {
    const link = links.get(heapId.join());
    if (link === undefined) {
      if (links.size === count)
        fault(check, { ...place, message: `no link has the heap id of the order ${creationOrder}` });
    } else if (link.creationOrder !== creationOrder) {
      const name = JSON.stringify(link.name);
      fault(check, { ...place, message: `expected the order ${link.creationOrder} of ${name}, got ${creationOrder}` });
    }
  }
}
