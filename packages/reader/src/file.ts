import type { Reference, RegionReference } from "@h5/datatypes";
import { consistencyFlag, NotFoundError, type Superblock } from "@h5/framing";
import { decodeSelection, type Selection } from "@h5/selection";
import type { Dataset } from "./dataset.ts";
import { Group, type H5Object, openNode } from "./group.ts";
import { openOther } from "./open-session.ts";
import type { Session, SignalOptions } from "./session.ts";

/** An open file: its root group, and what concerns the file as a whole. */
export class H5File extends Group {
  get superblock(): Superblock {
    return this.session.superblock;
  }

  /** Bytes before the HDF5 data, which belong to someone else (spec II.A, "user block"). */
  get userblockSize(): number {
    return this.session.baseAddress;
  }

  /** Whether a writer has the file open, or left it so: what is read may be incomplete. */
  get openForWrite(): boolean {
    return (this.session.superblock.consistencyFlags & (consistencyFlag.write | consistencyFlag.swmrWrite)) !== 0;
  }

  /**
   * The object a reference points to: for a region its dataset, for an attribute reference the object it is attached to.
   * A reference counts from the file it was read in: one that a node behind an external link gave must be followed from
   * that file, opened itself.
   *
   * @throws NotFoundError for a null reference, UnsupportedFeatureError for one to another file without a resolver
   */
  async dereference(reference: Reference | null, options: SignalOptions = {}): Promise<H5Object> {
    if (reference === null) throw new NotFoundError("a null reference points to nothing");
    return await openNode(await this.#fileOf(reference, options), reference.address, undefined, options);
  }

  async #fileOf({ file }: Reference, options: SignalOptions): Promise<Session> {
    if (file === undefined) return this.session;
    const found = await openOther(this.session, file, "external link", options);
    if (found === null) throw new NotFoundError(`no file ${JSON.stringify(file)}, to whose object the reference is`);
    return found;
  }

  /**
   * The first path of hard links to an object, as `visit` goes: what a dereferenced object is called. Walks the file up
   * to it. `NotFoundError` where no path leads to it.
   */
  async pathOf({ address }: { readonly address: number }, options: SignalOptions = {}): Promise<string> {
    if (address === this.address) return "/";
    for await (const { object, path } of this.visit(options)) if (object?.address === address) return path!;
    throw new NotFoundError(`no path leads to the object at address ${address}`);
  }

  /** The dataset a region reference points to, and the selection that `get` takes to read the region. */
  async region(reference: RegionReference | null, options: SignalOptions = {}): Promise<Region> {
    const dataset = await this.dereference(reference, options);
    if (dataset.kind !== "dataset") throw new NotFoundError(`expected a dataset, got a ${dataset.kind}`);
    return { dataset, selection: decodeSelection(reference!.selection).selection };
  }
}

/** What a region reference points to. */
export interface Region {
  readonly dataset: Dataset;
  readonly selection: Selection;
}
