import { type Datatype, decodeDatatype } from "@h5/datatypes";
import { decodeFilterPipeline, type PipelineFilter } from "@h5/filters";
import {
  decodeExternalFiles,
  decodeFillValue,
  decodeLayout,
  decodeOldFillValue,
  type ExternalFiles,
  type FillValue,
  InvalidFieldError,
  type Layout,
  messageName,
  messageType,
} from "@h5/framing";
import { type Dataspace, decodeDataspace, type VirtualMapping } from "@h5/selection";
import { findMessage, type LoadedMessage, type LoadedObject } from "./object.ts";
import type { Session } from "./session.ts";
import type { Storage } from "./storage.ts";
import { fixedMapping } from "./virtual-mapping.ts";

function required(object: LoadedObject, type: number): LoadedMessage {
  const message = findMessage(object, type);
  if (message !== undefined) return message;
  throw new InvalidFieldError(`no ${messageName(type)} message`, { structure: "dataset", address: object.address });
}

export function datatypeOf(session: Session, object: LoadedObject): Datatype {
  const { body, address } = required(object, messageType.datatype);
  return decodeDatatype(body, { address, limits: session.limits });
}

export function dataspaceOf(session: Session, object: LoadedObject): Dataspace {
  const { body, address } = required(object, messageType.dataspace);
  return decodeDataspace(body, session, address);
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

export function externalFilesOf(session: Session, object: LoadedObject): ExternalFiles | undefined {
  const message = findMessage(object, messageType.externalFiles);
  return message && decodeExternalFiles(message.body, session, message.address);
}

/** The fill value message; the old one counts only where there is no new one (H5Oint.c, H5Dint.c). */
export function fillMessageOf(object: LoadedObject): FillValue | undefined {
  const message = findMessage(object, messageType.fillValue);
  if (message !== undefined) return decodeFillValue(message.body, message.address);
  const old = findMessage(object, messageType.fillValueOld);
  return old && decodeOldFillValue(old.body, old.address);
}

/**
 * The stored bytes of the element that stands for what was never written, `undefined` for zeros: where no value is
 * set, where it is explicitly undefined, and where the file says never to write it (which a virtual dataset never is,
 * H5Dvirtual.c, `H5D__virtual_read`). Its size is checked in any case.
 */
export function fillElementOf(session: Session, object: LoadedObject): Uint8Array | undefined {
  const fill = fillMessageOf(object);
  if (fill?.value === undefined || fill.value.length === 0) return undefined;
  const { size } = datatypeOf(session, object);
  if (fill.value.length !== size) {
    throw new InvalidFieldError(`expected a value of ${size} bytes, got ${fill.value.length}`, {
      structure: "fill value message",
      address: object.address,
    });
  }
  const used = fill.writeTime !== "never" || mappingsOf(object) !== undefined;
  return fill.defined && used ? fill.value : undefined;
}

/** How the elements of a dataset are stored; a virtual one's sources must have been looked at. */
export function storageOf(session: Session, object: LoadedObject): Storage {
  const datatype = datatypeOf(session, object);
  const external = externalFilesOf(session, object);
  return {
    address: object.address,
    dataspace: settledDataspaceOf(session, object),
    layout: layoutOf(session, object),
    filters: filtersOf(object),
    datatype,
    elementSize: datatype.size,
    fill: fillElementOf(session, object),
    external: external?.slots.length === 0 ? undefined : external,
    mappings: object.settled?.value?.mappings ?? mappingsOf(object)?.map(fixedMapping) ?? [],
  };
}
