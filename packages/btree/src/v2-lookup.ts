import { type FileContext, lookup3, type Plan } from "@h5/framing";
import { type AttributeRecord, attributeNameRecords, type LinkNameRecord, linkNameRecords } from "./v2-records.ts";
import { readV2Records, recordsWhere } from "./v2-walk.ts";

/**
 * The records of all links whose name has the hash of `name`: nearly always one or none. What they point at in the
 * group's heap tells which of them has the name.
 *
 * @param address - the name index of a link info message
 * @param name - the bytes of the name
 */
export function findLinkRecords(context: FileContext, address: number, name: Uint8Array): Plan<LinkNameRecord[]> {
  const hash = lookup3(name);
  const choice = recordsWhere<LinkNameRecord>((record) => record.hash - hash);
  return readV2Records(context, address, linkNameRecords(), choice);
}

/**
 * The records of all attributes whose name has the hash of `name`; see {@link findLinkRecords}.
 *
 * @param address - the name index of an attribute info message
 * @param name - the bytes of the name
 */
export function findAttributeRecords(context: FileContext, address: number, name: Uint8Array): Plan<AttributeRecord[]> {
  const hash = lookup3(name);
  const choice = recordsWhere<AttributeRecord>((record) => (record.hash ?? 0) - hash);
  return readV2Records(context, address, attributeNameRecords(), choice);
}
