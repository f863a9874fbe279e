import type { Datatype } from "@h5/datatypes";
import type { DatatypeModel } from "../model/objects.ts";
import { ObjectBuilder } from "./object-builder.ts";

/** A named datatype of the file being written, which datasets and attributes can have as their `dtype`. */
export class NamedDatatypeBuilder extends ObjectBuilder<DatatypeModel> {
  /** The type. */
  get datatype(): Datatype {
    return this.model.datatype;
  }
}
