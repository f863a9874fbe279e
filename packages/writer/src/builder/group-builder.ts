import { InvalidArgumentError, sizeOfText } from "@h5/framing";
import { at } from "../model/at.ts";
import type { DatasetModel, DatatypeModel, GroupModel, ObjectModel } from "../model/objects.ts";
import { checkText, joinPath } from "../model/path.ts";
import { objectAt } from "../model/walk.ts";
import type { DtypeOption } from "../values/dtype.ts";
import { DatasetBuilder } from "./dataset-builder.ts";
import { type DatasetPlan, planDataset } from "./dataset-plan.ts";
import { datatypeUse } from "./elements.ts";
import { NamedDatatypeBuilder } from "./named-datatype.ts";
import { ObjectBuilder } from "./object-builder.ts";
import { checkEarliest, checkOptions } from "./option-checks.ts";
import type { DatasetOptions, ObjectOptions } from "./options.ts";
import { addLink, change, commonOptions, newGroup, type SettledOptions } from "./state.ts";

/** The longest target of a soft or external link, whose size has 16 bits. */
const LONGEST_TARGET = 65535;
/** Classes below are HDF5's own (H5L_TYPE_UD_MIN is 64, which is that of external links). */
const FIRST_USER_CLASS = 65;

const OBJECT_OPTIONS = { attrs: 0, trackOrder: 0, trackAttributeOrder: 0, comment: 0 } as const;

/** A group of the file being written. Paths are relative to it, or begin with `/` and count from the root. */
export class GroupBuilder extends ObjectBuilder<GroupModel> {
  /**
   * Adds a group, and those on the way to it. A group that is there already is given as it is: its options must not be
   * set again.
   *
   * @throws InvalidArgumentError where something else has the name, or a link on the way is not a hard one
   */
  group(path: string, options: ObjectOptions = {}): GroupBuilder {
    return this.#at(path, (full) => {
      const known = objectAt(this.state.model.root, full);
      if (known !== undefined) return this.#knownGroup(known, full, options);
      checkOptions(options, OBJECT_OPTIONS);
      const group = newGroup(this.state.model, this.#settled(options), full);
      return this.#named(new GroupBuilder(this.state, group, full).attributes(options.attrs));
    });
  }

  #knownGroup(known: ObjectModel, path: string, options: ObjectOptions): GroupBuilder {
    if (known.kind !== "group") throw new InvalidArgumentError(`there is a ${known.kind} of this name already`);
    if (Object.keys(options).length > 0)
      throw new InvalidArgumentError("the group is there already, with options of its own");
    return new GroupBuilder(this.state, known, path);
  }

  /**
   * Adds a dataset.
   *
   * @param data - values: typed arrays, numbers, strings, booleans, bigints, lists of them nested as the shape is, rows or
   *   columns of a compound; `null` for the null dataspace; nothing for a dataset of the fill value; or an (async)
   *   iterable of blocks, which is asked for them while the file is written
   * @throws InvalidArgumentError for a name that is taken, options that do not go together, and values that do not fit
   */
  dataset(path: string, data?: unknown, options: DatasetOptions = {}): DatasetBuilder {
    return this.addDataset(path, options, () => planDataset(this.state.model, data, options));
  }

  /** @internal */
  addDataset(path: string, options: ObjectOptions, plan: () => DatasetPlan): DatasetBuilder {
    return this.#at(path, (full) => {
      const planned = plan();
      const { trackAttributeOrder, comment } = commonOptions(this.state.model, this.#settled(options), full);
      const model: DatasetModel = {
        kind: "dataset",
        datatype: planned.datatype,
        named: planned.named,
        space: planned.space,
        fill: planned.fill,
        storage: planned.storage,
        attributes: undefined,
        trackAttributeOrder,
        comment,
        linkCount: 1,
      };
      return this.#named(new DatasetBuilder(this.state, model, full).attributes(options.attrs));
    });
  }

  /** Adds a named datatype, which datasets and attributes can then have as their `dtype`. */
  namedDatatype(path: string, dtype: DtypeOption, options: ObjectOptions = {}): NamedDatatypeBuilder {
    return this.#at(path, (full) => this.#named(this.#newDatatype(dtype, options, full)));
  }

  /**
   * Makes a datatype that is to be named by {@link hardLink}, once all that comes before it in its group is there. Datasets
   * and attributes can have it as their `dtype` already.
   */
  anonymousDatatype(dtype: DtypeOption, options: ObjectOptions = {}): NamedDatatypeBuilder {
    return change(this.state, this.path, () => {
      const type = this.#newDatatype(dtype, options, "");
      type.model.linkCount = 0;
      return type;
    });
  }

  #newDatatype(dtype: DtypeOption, options: ObjectOptions, path: string): NamedDatatypeBuilder {
    const { datatype } = datatypeUse(this.state.model, dtype);
    checkOptions(options, OBJECT_OPTIONS);
    const common = commonOptions(this.state.model, this.#settled(options), path);
    const model: DatatypeModel = { kind: "datatype", datatype, attributes: undefined, linkCount: 1, ...common };
    return new NamedDatatypeBuilder(this.state, model, path).attributes(options.attrs);
  }

  /** Adds a link to a path, which need not lead anywhere. */
  softLink(path: string, target: string): this {
    return this.#at(path, (full) => {
      checkTarget(target, "target path");
      addLink(this.state, full, { type: "soft", target });
      return this;
    });
  }

  /** Adds another name for an object that is there already, or the first one for an anonymous datatype. */
  hardLink(path: string, target: string | ObjectBuilder): this {
    return this.#at(path, (full) => {
      const object: ObjectModel | undefined =
        target instanceof ObjectBuilder
          ? this.#own(target).model
          : objectAt(this.state.model.root, joinPath(this.path, target));
      if (object === undefined) throw new InvalidArgumentError(`there is no object at ${JSON.stringify(target)}`);
      addLink(this.state, full, { type: "hard", target: object });
      object.linkCount++;
      return this;
    });
  }

  /** Adds a link to a path in another file. */
  externalLink(path: string, file: string, target: string): this {
    return this.#at(path, (full) => {
      checkEarliest(this.state.model, "an external link");
      checkTarget(file, "file name");
      checkTarget(target, "target path");
      addLink(this.state, full, { type: "external", file, target });
      return this;
    });
  }

  /**
   * Adds a link of a class that an application defines (`H5Lregister`): libraries that do not know the class do not follow
   * it.
   *
   * @param linkClass - 65 to 255; 64, that of external links, is `externalLink`'s
   * @param value - what the class keeps in the link, at most 65,535 bytes
   */
  userLink(path: string, linkClass: number, value: Uint8Array): this {
    return this.#at(path, (full) => {
      checkEarliest(this.state.model, "a user-defined link");
      if (!Number.isInteger(linkClass) || linkClass < FIRST_USER_CLASS || linkClass > 255)
        throw new InvalidArgumentError(`link class ${linkClass}, expected ${FIRST_USER_CLASS} to 255`);
      if (!(value instanceof Uint8Array)) throw new InvalidArgumentError(`expected bytes as link value, got ${value}`);
      if (value.length > LONGEST_TARGET)
        throw new InvalidArgumentError(`a link value of ${value.length} bytes, at most ${LONGEST_TARGET} fit`);
      addLink(this.state, full, { type: "user", class: linkClass, value: value.slice() });
      return this;
    });
  }

  /** Does what adds something at a path; errors name it. */
  #at<T>(path: string, work: (full: string) => T): T {
    const full = at(this.path, () => joinPath(this.path, path));
    return change(this.state, full, () => work(full));
  }

  /** Links an object to its path, as the last step, so that one that cannot be had in full is not had at all. */
  #named<B extends ObjectBuilder>(object: B): B {
    addLink(this.state, object.path, { type: "hard", target: object.model });
    return object;
  }

  #own(object: ObjectBuilder): ObjectBuilder {
    if (object.state === this.state) return object;
    throw new InvalidArgumentError(`${object.path} is an object of another file`);
  }

  #settled(options: ObjectOptions): SettledOptions {
    const { trackOrder = this.state.trackOrder, trackAttributeOrder, comment } = options;
    checkEarliest(this.state.model, (trackOrder || trackAttributeOrder) && "creation order");
    return { trackOrder, trackAttributeOrder, comment };
  }
}

function checkTarget(text: string, what: string): void {
  checkText(text, what);
  if (text === "") throw new InvalidArgumentError(`an empty ${what}`);
  const size = sizeOfText(text);
  if (size > LONGEST_TARGET - 4)
    throw new InvalidArgumentError(`a ${what} of ${size} bytes, at most ${LONGEST_TARGET - 4} fit`);
}
