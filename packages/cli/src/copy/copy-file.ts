import type { Datatype } from "@h5/datatypes";
import { atPath } from "@h5/framing";
import type { Attribute, Dataset, H5File, H5Object, Link } from "@h5/reader";
import { getStoredAttribute } from "@h5/reader/stored";
import { elementCount } from "@h5/selection";
import {
  type ByteSink,
  createFile,
  type FileBuilder,
  type NamedDatatypeBuilder,
  type ObjectBuilder,
  storedElements,
} from "@h5/writer";
import { copyDataset } from "./dataset.ts";
import type { CopyOptions, CopyReport } from "./options.ts";
import { libraryFor, type Survey, type Surveyed, surveyFile } from "./survey.ts";

/**
 * Writes a copy of a file. Elements go through in pieces, those of chunks that stay the same as they are stored; the sink
 * has a file only if all could be copied.
 *
 * @throws what reading the file gave, and InvalidArgumentError for what the copy's format cannot hold
 */
export async function copyFile(
  file: H5File,
  sink: ByteSink,
  options: CopyOptions = {},
  report: CopyReport = {},
): Promise<void> {
  const survey = await surveyFile(file, options.only);
  const copy = new FileCopy(file, survey, options, report);
  await (await copy.build()).writeTo(sink, { signal: options.signal });
}

/** A copy in the making. */
class FileCopy {
  readonly #file: H5File;
  readonly #survey: Survey;
  readonly #options: CopyOptions;
  readonly #report: CopyReport;
  /** What has been added, by the address of what it is a copy of. */
  readonly #builders = new Map<number, ObjectBuilder>();
  readonly #total: number;
  #done = 0;

  constructor(file: H5File, survey: Survey, options: CopyOptions, report: CopyReport) {
    this.#file = file;
    this.#survey = survey;
    this.#options = options;
    this.#report = report;
    this.#total = [...survey.objects.values()].reduce((sum, { object }) => sum + sizeOf(object), 0);
  }

  async build(): Promise<FileBuilder> {
    const target = await this.#createTarget();
    this.#builders.set(this.#file.address, target);
    for (const { link, path } of this.#survey.links) {
      try {
        await this.#copyLink(target, path, link);
      } catch (error) {
        throw atPath(error, path);
      }
    }
    for (const [address, { attributes, path }] of this.#survey.objects) {
      const builder = this.#builders.get(address)!;
      for (const attribute of attributes) await this.#copyAttribute(target, builder, attribute, path);
    }
    return target;
  }

  async #createTarget(): Promise<FileBuilder> {
    const userblock = await this.#file.readUserblock();
    const root = this.#common(this.#file, "/", this.#file.tracksOrder);
    if (this.#options.earliest) return createFile({ compatibility: "earliest", userblock, root });
    return createFile({ libver: libraryFor(this.#survey), userblock, root });
  }

  async #copyLink(target: FileBuilder, path: string, link: Link): Promise<void> {
    switch (link.type) {
      case "soft":
        target.softLink(path, link.target);
        break;
      case "external":
        target.externalLink(path, link.file, link.target);
        break;
      case "user":
        target.userLink(path, link.class, link.value);
        break;
      case "hard":
        // One that leads nowhere was an error of the survey.
        await this.#copyHardLink(target, path, link.address!);
    }
  }

  async #copyHardLink(target: FileBuilder, path: string, address: number): Promise<void> {
    const { object, path: first } = this.#survey.objects.get(address)!;
    const known = this.#builders.get(address);
    if (object.kind === "datatype") target.hardLink(path, known ?? this.#namedType(target, address)!);
    else if (known !== undefined) target.hardLink(path, known);
    else this.#builders.set(address, await this.#copyObject(target, first, object));
  }

  async #copyObject(target: FileBuilder, path: string, object: Exclude<H5Object, { kind: "datatype" }>) {
    if (object.kind === "group") return target.group(path, this.#common(object, path, object.tracksOrder));
    const dtype = this.#namedType(target, object.committedDatatype);
    return await copyDataset(object, {
      target,
      path,
      common: { ...this.#common(object, path, object.attrs.tracksOrder), dtype: dtype ?? object.datatype },
      options: this.#options,
      report: this.#report,
      reading: { pathOf: this.#pathOf(path), done: (bytes) => this.#progress(bytes) },
    });
  }

  /** The named datatype at an address, which is added when something has it as its type; undefined for one without a name. */
  #namedType(target: FileBuilder, address: number | undefined): NamedDatatypeBuilder | undefined {
    const found = address === undefined ? undefined : this.#survey.objects.get(address);
    if (found?.object.kind !== "datatype") return undefined;
    const known = this.#builders.get(address!);
    if (known !== undefined) return known as NamedDatatypeBuilder;
    const { object, path } = found;
    const added = target.anonymousDatatype(object.datatype, this.#common(object, path, object.attrs.tracksOrder));
    this.#builders.set(address!, added);
    return added;
  }

  async #copyAttribute(target: FileBuilder, builder: ObjectBuilder, attribute: Attribute, path: string): Promise<void> {
    const { name, datatype, dataspace, committedDatatype } = attribute;
    const dtype: NamedDatatypeBuilder | Datatype = this.#namedType(target, committedDatatype) ?? datatype;
    try {
      if (dataspace.class === "null") builder.attribute(name, null, { dtype });
      else {
        const data = storedElements(await getStoredAttribute(attribute), this.#pathOf(`${path}@${name}`));
        builder.attribute(name, data, { dtype, shape: dataspace.shape });
      }
    } catch (error) {
      throw atPath(error, `${path}@${name}`);
    }
  }

  /** Paths of what references lead to; to nothing where that is not copied, which is warned of once for each place. */
  #pathOf(place: string): (reference: { readonly address: number }) => string | null {
    let warned = false;
    return ({ address }) => {
      const path = this.#survey.objects.get(address)?.path ?? null;
      if (path === null && !warned) {
        this.#report.warn?.(place, "references to objects that are not copied lead to nothing in the copy");
        warned = true;
      }
      return path;
    };
  }

  #common({ comment, attrs }: Surveyed["object"], path: string, trackOrder: boolean) {
    const trackAttributeOrder = attrs.tracksOrder;
    if (!this.#options.earliest) return { comment, trackOrder, trackAttributeOrder };
    if (trackOrder || trackAttributeOrder) this.#report.warn?.(path, "the order of creation is not kept");
    return { comment, trackOrder: false };
  }

  #progress(bytes: number): void {
    this.#done += bytes;
    this.#report.progress?.(this.#done, this.#total);
  }
}

/** Bytes of a dataset's elements, before any filter. */
function sizeOf(object: H5Object): number {
  if (object.kind !== "dataset" || object.spaceClass === "null") return 0;
  const stored = (object as Dataset).layout.class !== "virtual";
  return stored ? elementCount(object.shape) * object.datatype.size : 0;
}
