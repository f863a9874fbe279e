import {
  decodeExternalFiles,
  decodeFillValue,
  decodeOldFillValue,
  type ExternalFiles,
  type FillValue,
  InvalidFieldError,
  messageType,
} from "@h5/framing";
import type { Dataspace } from "@h5/selection";
import { datatypeOf, filtersOf, layoutOf, mappingsOf, settledDataspaceOf } from "./dataset-metadata.ts";
import { findMessage, type LoadedObject } from "./object.ts";
import type { Session } from "./session.ts";
import type { Storage } from "./storage.ts";
import { fixedMapping } from "./virtual-mapping.ts";

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

/** What lies in one piece, no file being longer than that, has at most 2^53-1 bytes. */
function checkInOnePiece({ shape }: Dataspace, elementSize: number, address: number): void {
  const bytes = shape.reduce((product, length) => product * length, elementSize);
  if (bytes <= Number.MAX_SAFE_INTEGER) return;
  throw new InvalidFieldError(`expected at most 2^53-1 bytes in one piece, got [${shape}] elements of ${elementSize}`, {
    structure: "dataspace message",
    address,
  });
}

/** How the elements of a dataset are stored; a virtual one's sources must have been looked at. */
export function storageOf(session: Session, object: LoadedObject): Storage {
  const datatype = datatypeOf(session, object);
  const external = externalFilesOf(session, object);
  const dataspace = settledDataspaceOf(session, object);
  const layout = layoutOf(session, object);
  if (layout.class === "compact" || (layout.class === "contiguous" && layout.address !== undefined)) {
    checkInOnePiece(dataspace, datatype.size, object.address);
  }
  return {
    address: object.address,
    dataspace,
    layout,
    filters: filtersOf(object),
    datatype,
    elementSize: datatype.size,
    fill: fillElementOf(session, object),
    external: external?.slots.length === 0 ? undefined : external,
    mappings: object.settled?.value?.mappings ?? mappingsOf(object)?.map(fixedMapping) ?? [],
  };
}
