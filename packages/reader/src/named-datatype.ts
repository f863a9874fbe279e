import { type Datatype, type DtypeName, dtypeOf } from "@h5/datatypes";
import { datatypeOf } from "./dataset-metadata.ts";
import { H5Node } from "./node.ts";

/** A committed datatype: one that has a name of its own in the file. */
export class NamedDatatype extends H5Node {
  readonly kind = "datatype" as const;

  /** The type. */
  get datatype(): Datatype {
    return this.memo("datatype", () => datatypeOf(this.session, this.object));
  }

  /** What elements of it come out as. */
  get dtype(): DtypeName {
    return dtypeOf(this.datatype);
  }
}
