import { InvalidArgumentError, isH5Error, sizeOfAttribute, sizeOfText } from "@h5/framing";
import { attributeContent } from "../model/attribute-content.ts";
import type { FileModel } from "../model/file.ts";
import { type AttributeModel, type ObjectModel, setAttribute } from "../model/objects.ts";
import { checkText } from "../model/path.ts";
import { encodeData, spaceOf } from "./elements.ts";
import { checkOptions, largestMessage } from "./option-checks.ts";
import type { AttributeOptions, Attributes } from "./options.ts";
import { type BuilderState, change } from "./state.ts";

/** The size of a name has 16 bits, and counts the NUL behind it. */
const LONGEST_NAME = 65534;
/** Messages of an old-style header are counted in 16 bits, and so is the order of creation; some are no attributes. */
const MOST_COUNTED = 65520;

/** An object of the file being written. */
export class ObjectBuilder<M extends ObjectModel = ObjectModel> {
  /** Path from the root. */
  readonly path: string;
  /** @internal */
  readonly model: M;
  /** @internal */
  readonly state: BuilderState;

  /** @internal */
  constructor(state: BuilderState, model: M, path: string) {
    this.state = state;
    this.model = model;
    this.path = path;
  }

  /**
   * Adds an attribute.
   *
   * @param value - anything a dataset takes at once; `null` for the null dataspace
   * @throws InvalidArgumentError for a name that is taken, empty or holds NUL, and values that do not fit their type
   */
  attribute(name: string, value: unknown, options: AttributeOptions = {}): this {
    return this.changed(() => {
      this.#checkName(name);
      setAttribute(this.model, this.#encoded(name, value, options));
    });
  }

  /** @internal */
  changed(work: () => void): this {
    change(this.state, this.path, work);
    return this;
  }

  #checkName(name: string): void {
    const { attributes, trackAttributeOrder } = this.model;
    checkText(name, "attribute name");
    if (name === "") throw new InvalidArgumentError("an attribute must have a name");
    const size = sizeOfText(name);
    if (size > LONGEST_NAME) throw new InvalidArgumentError(`a name of ${size} bytes, at most ${LONGEST_NAME} fit`);
    if (attributes === undefined) return;
    if (attributes.has(name)) throw new InvalidArgumentError(`there is an attribute ${JSON.stringify(name)} already`);
    if ((trackAttributeOrder || this.state.model.earliest) && attributes.size === MOST_COUNTED)
      throw new InvalidArgumentError(`attribute ${JSON.stringify(name)}: there is no room for over ${MOST_COUNTED}`);
  }

  #encoded(name: string, value: unknown, options: AttributeOptions): AttributeModel {
    const file = this.state.model;
    try {
      checkOptions(options, { dtype: 0, shape: 0 });
      const { datatype, named, shape, elements } = encodeData(file, value, options);
      const space = spaceOf(file, shape);
      const attribute = { name, datatype, named, space, elements: file.small.kept(elements) };
      if (file.earliest) checkOldSize(file, sizeOfAttribute(attributeContent(attribute, file)));
      return attribute;
    } catch (cause) {
      if (!isH5Error(cause, "INVALID_ARGUMENT")) throw cause;
      throw new InvalidArgumentError(`attribute ${JSON.stringify(name)}: ${cause.message}`, { cause });
    }
  }

  /** @internal */
  attributes(attrs: Attributes = {}): this {
    for (const [name, value] of entriesOf(attrs)) this.attribute(name, value);
    return this;
  }
}

/** An attribute of an old-style file is a message. */
function checkOldSize(file: FileModel, size: number): void {
  if (size > largestMessage(file))
    throw new InvalidArgumentError(`${size} bytes with name and type, more than compatibility "earliest" can hold`);
}

function entriesOf(attrs: Attributes): Iterable<readonly [string, unknown]> {
  if (attrs === null || typeof attrs !== "object" || ArrayBuffer.isView(attrs)) {
    throw new InvalidArgumentError(`expected attributes by name, got ${attrs}`);
  }
  const entries =
    Symbol.iterator in attrs ? [...(attrs as Iterable<readonly [string, unknown]>)] : Object.entries(attrs);
  const other = entries.find((entry) => !Array.isArray(entry) || entry.length !== 2);
  if (other !== undefined)
    throw new InvalidArgumentError(`expected attributes as pairs of name and value, got ${other}`);
  return entries;
}
