import { type Datatype, decodeDatatype } from "@h5/datatypes";
import { decodeFilterPipeline, type PipelineFilter } from "@h5/filters";
import { decodeLayout, InvalidFieldError, type Layout, messageName, messageType } from "@h5/framing";
import { type Dataspace, decodeDataspace, type VirtualMapping } from "@h5/selection";
import { findMessage, type LoadedMessage, type LoadedObject } from "./object.ts";
import type { Session } from "./session.ts";

function required(object: LoadedObject, type: number): LoadedMessage {
  const message = findMessage(object, type);
  if (message !== undefined) return message;
  throw new InvalidFieldError(`no ${messageName(type)} message`, { structure: "dataset", address: object.address });
}

export function datatypeOf(session: Session, object: LoadedObject): Datatype {
  const { body, address } = required(object, messageType.datatype);
  return session.datatypes.get(body, () => decodeDatatype(body, { address, limits: session.limits }));
}

export function dataspaceOf(session: Session, object: LoadedObject): Dataspace {
  const { body, address } = required(object, messageType.dataspace);
  return session.dataspaces.get(body, () => decodeDataspace(body, session, address));
}

/**
 * The mappings of a virtual dataset, `undefined` for any other.
 *
 * @throws what reading them gave
 */
export function mappingsOf({ mappings }: LoadedObject): readonly VirtualMapping[] | undefined {
  if (mappings?.error !== undefined) throw mappings.error;
  return mappings?.value?.mappings;
}

/**
 * The dataspace; that of a virtual dataset with an unlimited mapping is as large as its sources make it.
 *
 * @throws what looking at the sources gave
 */
export function settledDataspaceOf(session: Session, object: LoadedObject): Dataspace {
  const { settled } = object;
  if (settled?.error !== undefined) throw settled.error;
  const space = dataspaceOf(session, object);
  return settled === undefined ? space : { ...space, shape: settled.value.shape };
}

/** The layout, checked against the dataspace it must fit. */
export function layoutOf(session: Session, object: LoadedObject): Layout {
  const { body, address } = required(object, messageType.layout);
  const layout = decodeLayout(body, session, address);
  if (layout.class === "chunked") {
    const { shape } = dataspaceOf(session, object);
    const { size } = datatypeOf(session, object);
    const place = { structure: "data layout message", address };
    if (layout.chunkShape.length !== shape.length) {
      throw new InvalidFieldError(`expected ${shape.length} chunk dimensions, got ${layout.chunkShape.length}`, place);
    }
    if (layout.elementSize !== size) {
      throw new InvalidFieldError(`expected elements of ${size} bytes, got ${layout.elementSize}`, place);
    }
  }
  return layout;
}

export function filtersOf(object: LoadedObject): readonly PipelineFilter[] {
  const message = findMessage(object, messageType.filterPipeline);
  return message === undefined ? [] : decodeFilterPipeline(message.body, message.address).filters;
}
