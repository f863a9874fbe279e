// Groups of many links keep them in a fractal heap, with a tree of their names' hashes.
import { linkNameRecords, readV2Records } from "@h5/btree";
import { type DenseStorage, decodeLink, type FileContext, type Link, type Plan } from "@h5/framing";
import { fractalHeapObjects, readFractalHeap } from "@h5/heap";

export function* denseLinks(context: FileContext, storage: DenseStorage): Plan<Link[]> {
  const heap = yield* readFractalHeap(context, storage.heapAddress!, () => {
    throw new Error("this reader knows no filters of heaps");
  });
  const records = yield* readV2Records(context, storage.nameIndexAddress!, linkNameRecords());
  const bodies = yield* fractalHeapObjects(
    heap,
    records.map(({ heapId }) => heapId),
  );
  return bodies.map((body) => decodeLink(body, context));
}
