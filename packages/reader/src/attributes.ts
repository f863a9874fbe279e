import { type Datatype, type DtypeName, decodeDatatype, dtypeOf, type Values } from "@h5/datatypes";
import { type Attempt, atPath, type H5Error, InvalidFieldError, NotFoundError, objectHeaderFlag } from "@h5/framing";
import { type Dataspace, dataspaceElementCount, decodeDataspace } from "@h5/selection";
import type { AttributeRecord } from "./attribute-records.ts";
import { arrayOf, type NdArray, valueShape } from "./nd-array.ts";
import type { LoadedObject, SharedBody } from "./object.ts";
import { loaded, runPlan, type Session, type SignalOptions } from "./session.ts";
import type { StoredElements, ValueOptions } from "./values.ts";

/** An attribute of an object. Its metadata is at hand; `get` reads what its value keeps in global heaps. */
export class Attribute {
  readonly name: string;
  protected readonly session: Session;
  readonly #record: AttributeRecord;
  protected readonly path: string;
  #datatype: Datatype | undefined;
  #dataspace: Dataspace | undefined;

  /** @internal */
  constructor(session: Session, record: AttributeRecord, path: string) {
    this.name = record.frame.name;
    this.session = session;
    this.#record = record;
    this.path = `${path}@${record.frame.name}`;
  }

  /** Type of the value. */
  get datatype(): Datatype {
    if (this.#datatype === undefined) {
      const { body, address } = partOf(this.#record.datatype);
      const { datatypes, limits } = this.session;
      this.#datatype = datatypes.get(body, () => decodeDatatype(body, { address, limits }));
    }
    return this.#datatype;
  }

  /** What the value comes out as; see {@link Dataset.dtype}. */
  get dtype(): DtypeName {
    return dtypeOf(this.datatype);
  }

  /** Its dimensions. */
  get dataspace(): Dataspace {
    if (this.#dataspace === undefined) {
      const { body, address } = partOf(this.#record.dataspace);
      const { session } = this;
      this.#dataspace = session.dataspaces.get(body, () => decodeDataspace(body, session, address));
    }
    return this.#dataspace;
  }

  /** Length of each dimension; empty for a scalar and for a null dataspace (tell them apart by `dataspace.class`). */
  get shape(): readonly number[] {
    return this.dataspace.shape;
  }

  /** Header address of the committed datatype the value has, if it is one. */
  get committedDatatype(): number | undefined {
    return partOf(this.#record.datatype).committedAt;
  }

  /**
   * The stored bytes of the value, without what it keeps in global heaps.
   *
   * @internal
   */
  stored(): StoredElements {
    const { datatype } = this;
    const count = dataspaceElementCount(this.dataspace);
    const { data } = this.#record.frame;
    if (data.length < count * datatype.size) {
      throw new InvalidFieldError(`expected ${count * datatype.size} bytes of data, got ${data.length}`, {
        structure: "attribute message",
        path: this.path,
      });
    }
    return { datatype, bytes: data.subarray(0, count * datatype.size), count };
  }

  /** The value as an array, row-major: one element for a scalar, none for a null dataspace. */
  async get(options: ValueOptions = {}): Promise<NdArray<DtypeName>> {
    const { materialize } = await attributeCode(this.session, options);
    try {
      const [data] = await materialize(this.session, [this.stored()], options);
      return arrayOf(data!, valueShape(this.dataspace), this.datatype);
    } catch (error) {
      throw atPath(error, this.path);
    }
  }
}

function partOf(part: Attempt<SharedBody>): SharedBody {
  if (part.error !== undefined) throw part.error;
  return part.value;
}

/** What {@link Attributes.survey} finds. */
export interface AttributeSurvey {
  readonly attributes: readonly Attribute[];
  /** One for each attribute of which not even the name could be read. */
  readonly errors: readonly H5Error[];
}

/** The attributes of an object, in creation order where it is tracked, else by name. */
export class Attributes {
  readonly #session: Session;
  readonly #object: LoadedObject;
  readonly #path: string;

  /** @internal */
  constructor(session: Session, object: LoadedObject, path: string | undefined) {
    this.#session = session;
    this.#object = object;
    this.#path = path ?? "";
  }

  /** Whether the object keeps the order in which attributes were made. */
  get tracksOrder(): boolean {
    return ((this.#object.header.flags ?? 0) & objectHeaderFlag.trackCreationOrder) !== 0;
  }

  /** Every attribute that can be read, and the errors of those that cannot. */
  async survey(options: SignalOptions = {}): Promise<AttributeSurvey> {
    const { readAttributes } = await attributeCode(this.#session, options);
    const records = await runPlan(this.#session, readAttributes(this.#session, this.#object), options);
    const attributes: Attribute[] = [];
    const errors: H5Error[] = [];
    for (const { value, error } of records) {
      if (error === undefined) attributes.push(new Attribute(this.#session, value, this.#path));
      else errors.push(error);
    }
    return { attributes, errors };
  }

  /** Every attribute; one that cannot be read is an error. */
  async list(options: SignalOptions = {}): Promise<readonly Attribute[]> {
    const { attributes, errors } = await this.survey(options);
    if (errors.length > 0) throw atPath(errors[0], this.#path);
    return attributes;
  }

  /** The names, in the order of {@link list}. */
  async names(options: SignalOptions = {}): Promise<string[]> {
    return (await this.list(options)).map(({ name }) => name);
  }

  /** Whether there is an attribute of that name; reads only what leads to it. */
  async has(name: string, options: SignalOptions = {}): Promise<boolean> {
    return (await this.#find(name, options)) !== undefined;
  }

  /** One attribute, unread. Throws `NotFoundError` where there is none of that name. */
  async attribute(name: string, options: SignalOptions = {}): Promise<Attribute> {
    const record = await this.#find(name, options);
    if (record === undefined) {
      throw atPath(new NotFoundError(`no attribute ${JSON.stringify(name)}`), this.#path);
    }
    return new Attribute(this.#session, record, this.#path);
  }

  /**
   * An attribute's value: a scalar for a scalar dataspace, `null` for a null one, else its elements, row-major
   * (`attribute(name)` has the shape). Throws `NotFoundError` where there is none of that name.
   */
  async get(name: string, options: ValueOptions = {}): Promise<unknown> {
    const attribute = await this.attribute(name, options);
    const { data } = await attribute.get(options);
    const { plainValue } = await attributeCode(this.#session, options);
    return plainValue(attribute, data as Values, 0);
  }

  /** Every attribute's value by name, as `get` gives it, in an object without a prototype. */
  async toObject(options: ValueOptions = {}): Promise<Record<string, unknown>> {
    const attributes = await this.list(options);
    const { readPlainValues } = await attributeCode(this.#session, options);
    const values = await readPlainValues(this.#session, attributes, options);
    const result: Record<string, unknown> = Object.create(null);
    // Of several of one name, which no sound file has, the first, as `get` does.
    for (const [i, { name }] of attributes.entries()) if (!(name in result)) result[name] = values[i];
    return result;
  }

  async #find(name: string, options: SignalOptions): Promise<AttributeRecord | undefined> {
    const { findAttribute } = await attributeCode(this.#session, options);
    try {
      return await runPlan(this.#session, findAttribute(this.#session, this.#object, name), options);
    } catch (error) {
      throw atPath(error, this.#path);
    }
  }
}

/** The code that finds and reads attributes, loaded when one is asked for. */
async function attributeCode(session: Session, options: SignalOptions): Promise<typeof import("./attribute-code.ts")> {
  session.code.attributes ??= await loaded(() => import("./attribute-code.ts"), options);
  return session.code.attributes;
}
