import { InvalidArgumentError } from "@h5/framing";
import { heapPair } from "../data/heap-pair.ts";
import { SmallBytes } from "../data/small-bytes.ts";
import type { FileModel } from "../model/file.ts";
import { FileTypes } from "../model/file-types.ts";
import { Targets } from "../model/placement.ts";
import { type SharingOptions, sharedKinds } from "../model/sharing.ts";
import type { ByteSink } from "../sink/byte-sink.ts";
import { memorySink } from "../sink/memory-sink.ts";
import { shown } from "../values/shown.ts";
import type { WriteOptions } from "../write/sink-output.ts";
import { GroupBuilder } from "./group-builder.ts";
import { checkChoice, checkEarliest, checkNumbers, checkOptions } from "./option-checks.ts";
import type { CreateOptions } from "./options.ts";
import { resolveReference } from "./references.ts";
import { newGroup } from "./state.ts";

/** The smallest user block; larger ones are this times a power of two (spec II.A). */
const SMALLEST_USERBLOCK = 512;
/** It is kept in memory. */
const LARGEST_USERBLOCK = 1073741824;
/** Messages that a list may hold (H5O_SHMESG_MAX_LIST_SIZE). */
const LONGEST_LIST = 5000;
/** What libhdf5's own tools take. */
const SHARED_FROM = 50;

/** A file being put together, which is also its root group. Nothing is written before {@link encode} or {@link writeTo}. */
export class FileBuilder extends GroupBuilder {
  /** The file in memory. Encoding it again gives the same bytes, unless data came as blocks. */
  async encode(options: WriteOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const sink = memorySink();
    await this.writeTo(sink, options);
    return sink.bytes();
  }

  /**
   * Writes the file to a sink, the superblock last where the sink can seek: what ends early is no HDF5 file. The sink is
   * closed at the end, or told to abort where something failed.
   *
   * Of data that comes as blocks a few MiB are in memory at a time, besides what is known of each chunk.
   *
   * @throws InvalidArgumentError for references that lead nowhere, for what data that comes as blocks has wrong, and for
   *   such data where the sink cannot take it; whatever the sink, the blocks or a filter throws; the signal's reason
   */
  async writeTo(sink: ByteSink, options: WriteOptions = {}): Promise<void> {
    const { model } = this.state;
    // From this call on, not from when the code has come that writes.
    model.writes++;
    try {
      const { writeFile } = await import("../write/write-file.ts");
      await writeFile(model, sink, options);
    } finally {
      model.writes--;
    }
  }
}

const CREATE_OPTIONS = {
  compatibility: 0,
  libver: 0,
  userblock: 0,
  sharedMessages: 0,
  trackOrder: 0,
  root: 0,
} as const;

/**
 * Begins a new HDF5 file.
 *
 * @throws InvalidArgumentError for options that do not go together
 */
export function createFile(options: CreateOptions = {}): FileBuilder {
  const { compatibility, libver = "v110", userblock = 0, sharedMessages, trackOrder = false, root } = options;
  checkOptions(options, CREATE_OPTIONS);
  if (root) checkOptions(root, { trackOrder: 0, trackAttributeOrder: 0, comment: 0 });
  const earliest = compatibility === "earliest";
  const v200 = libver === "v200";
  if (compatibility !== undefined) checkChoice("compatibility", compatibility, ["earliest"]);
  checkChoice("libver", libver, ["v110", "v112", "v200"]);
  const tracked = trackOrder || root?.trackOrder || root?.trackAttributeOrder;
  checkEarliest({ earliest }, libver !== "v110" && `libver "${libver}"`);
  checkEarliest({ earliest }, sharedMessages && "sharedMessages");
  checkEarliest({ earliest }, tracked && "trackOrder");
  const model: FileModel = {
    earliest,
    v112: libver === "v112",
    v200,
    userblock: userblockOf(userblock),
    root: newGroup({ earliest }, { ...root, trackOrder: root?.trackOrder ?? trackOrder }, "/"),
    targets: new Targets(),
    heaps: heapPair(),
    small: new SmallBytes(),
    lastSpace: undefined,
    lastFill: undefined,
    types: new FileTypes(earliest ? "earliest" : libver),
    reference: (value) => resolveReference(value, model),
    sharing: sharingOf(sharedMessages),
    writes: 0,
  };
  return new FileBuilder({ model, trackOrder }, model.root, "/");
}

function userblockOf(userblock: number | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof userblock !== "number" && !(userblock instanceof Uint8Array))
    throw new InvalidArgumentError(`userblock ${shown(userblock)}, expected a number of bytes, or the bytes`);
  const wanted = typeof userblock === "number" ? userblock : userblock.length;
  let size = wanted === 0 ? 0 : SMALLEST_USERBLOCK;
  while (size < wanted) size *= 2;
  if ((typeof userblock === "number" && size !== userblock) || size > LARGEST_USERBLOCK) {
    throw new InvalidArgumentError(`a user block of ${wanted} bytes, expected 0, 512, 1024, 2048 … up to 2^30`);
  }
  const bytes = new Uint8Array(size);
  if (typeof userblock !== "number") bytes.set(userblock);
  return bytes;
}

function sharingOf(sharedMessages: CreateOptions["sharedMessages"]): SharingOptions | undefined {
  if (!sharedMessages) return undefined;
  if (sharedMessages !== true) checkOptions(sharedMessages, { kinds: 0, minSize: 0, listMax: 0 });
  const { kinds = sharedKinds, minSize = SHARED_FROM, listMax = 50 } = sharedMessages === true ? {} : sharedMessages;
  for (const kind of kinds) checkChoice("sharedMessages.kinds", kind, sharedKinds);
  checkNumbers("sharedMessages.minSize and listMax", [minSize, listMax]);
  if (minSize > 65535) throw new InvalidArgumentError(`sharedMessages.minSize ${minSize}: no message is as large`);
  if (listMax > LONGEST_LIST)
    throw new InvalidArgumentError(`sharedMessages.listMax ${listMax}, expected at most ${LONGEST_LIST}`);
  return { kinds, minSize, listMax };
}
