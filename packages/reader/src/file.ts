import type { Reference, RegionReference } from "@h5/datatypes";
import { checkLimit, consistencyFlag, NotFoundError, readRange, type Superblock } from "@h5/framing";
import type { Selection } from "@h5/selection";
import type { Dataset } from "./dataset.ts";
import { Group, type H5Object, openNode } from "./group.ts";
import { loaded, type Session, type SignalOptions } from "./session.ts";

/** An open file: its root group, and what concerns the file as a whole. */
export class H5File extends Group {
  /** Version, widths and addresses that hold for the whole file. */
  get superblock(): Superblock {
    return this.session.superblock;
  }

  /** Bytes before the HDF5 data, which belong to someone else (spec II.A, "user block"). */
  get userblockSize(): number {
    return this.session.baseAddress;
  }

  /** The bytes before the HDF5 data. */
  async readUserblock(options: SignalOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    options.signal?.throwIfAborted();
    const { whole, baseAddress, limits } = this.session;
    checkLimit(limits, "readBytes", baseAddress, { structure: "user block" });
    const bytes = new Uint8Array(baseAddress);
    if (baseAddress > 0) bytes.set(await readRange(whole, { start: 0, end: baseAddress }, options));
    return bytes;
  }

  /** Whether a writer has the file open, or left it so: what is read may be incomplete. */
  get openForWrite(): boolean {
    return (this.session.superblock.consistencyFlags & (consistencyFlag.write | consistencyFlag.swmrWrite)) !== 0;
  }

  /**
   * The object a reference points to: for a region its dataset, for an attribute reference the object it is attached to.
   * A reference counts from the file it was read in, which its `from` names where it came through an external link or a
   * virtual dataset; one without, as one made by hand, counts from this file.
   *
   * @throws NotFoundError for a null reference, and where there is no such file; UnsupportedFeatureError for one to
   *   another file without a resolver
   */
  async dereference(reference: Reference | null, options: SignalOptions = {}): Promise<H5Object> {
    if (reference === null) throw new NotFoundError("a null reference points to nothing");
    return await openNode(await this.#fileOf(reference, options), reference.address, undefined, options);
  }

  async #fileOf(place: Place, options: SignalOptions): Promise<Session> {
    if (place.from === undefined && place.file === undefined) return this.session;
    const { openPlace } = await loaded(() => import("./other-session.ts"), options);
    return await openPlace(this.session, place, options);
  }

  /**
   * The first path of hard links to an object in its own file, as `visit` goes: what a dereferenced object is called.
   * Walks that file up to it. Takes the object or a reference to it.
   *
   * @throws NotFoundError where no path leads to it, and what `dereference` throws for its file
   */
  async pathOf(place: Place, options: SignalOptions = {}): Promise<string> {
    options.signal?.throwIfAborted();
    const { address } = place;
    const session = await this.#fileOf(place, options);
    if (address === session.rootAddress) return "/";
    const root = (await openNode(session, session.rootAddress, "/", options)) as Group;
    // Its link is enough: it may be damaged.
    for await (const { link, path } of root.visit(options)) {
      if (link.type === "hard" && link.address === address) return path!;
    }
    throw new NotFoundError(`no path leads to the object at address ${address}`);
  }

  /**
   * The dataset a region reference points to, and the selection that `get` takes to read the region.
   *
   * @throws InvalidFieldError where the region does not fit the dataset, and what `dereference` throws
   */
  async region(reference: RegionReference | null, options: SignalOptions = {}): Promise<Region> {
    const dataset = await this.dereference(reference, options);
    if (dataset.kind !== "dataset") throw new NotFoundError(`expected a dataset, got a ${dataset.kind}`);
    const { decodeRegion } = await loaded(() => import("./reading.ts"), options);
    return { dataset, selection: decodeRegion(reference!.selection, dataset.shape) };
  }
}

/** Where an object is: its address and, if not in the file that was opened, that file. See {@link Reference}. */
export type Place = Pick<Reference, "address" | "file" | "from">;

/** What a region reference points to. */
export interface Region {
  readonly dataset: Dataset;
  readonly selection: Selection;
}
