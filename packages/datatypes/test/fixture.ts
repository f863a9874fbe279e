import { readFileSync } from "node:fs";
import { bytesSource, defaultLimits, readObjectHeader, runSync } from "@h5/framing";
import { fixtureBytes, fixturePath } from "@h5/testing";
import { decodeDatatype, type HeapId } from "../src/index.ts";

interface Placed {
  readonly header: number;
  readonly data: number;
  readonly count: number;
  readonly size: number;
  readonly values: unknown[];
}

const context = { offsetSize: 8, lengthSize: 8, limits: defaultLimits };

/** The datasets of a fixture: type, stored bytes and the values that libhdf5 reads. */
export function fixtureDatasets(name: string) {
  const file = fixtureBytes(`datatypes/${name}.h5`);
  const placed: Record<string, Placed> = JSON.parse(readFileSync(fixturePath(`datatypes/${name}.places.json`), "utf8"));
  return Object.entries(placed).map(([dataset, { header, data, count, size, values }]) => {
    const { messages } = runSync(readObjectHeader(context, header), bytesSource(file));
    const message = messages.find(({ type }) => type === 3)!.body;
    const stored = file.subarray(data, data + size);
    return { dataset, message, datatype: decodeDatatype(message), stored, count, values, heap: heapOf(file) };
  });
}

export function fixtureDataset(name: string, dataset: string) {
  return fixtureDatasets(name).find((candidate) => candidate.dataset === dataset)!;
}

/** Global heap objects by the byte layout of spec III.E, for files with 8-byte lengths. */
function heapOf(file: Uint8Array) {
  const view = new DataView(file.buffer);
  return ({ address, index }: HeapId): Uint8Array | undefined => {
    const end = address + view.getUint32(address + 8, true);
    for (let at = address + 16; at + 16 <= end; ) {
      const found = view.getUint16(at, true);
      const length = view.getUint32(at + 8, true);
      if (found === index) return file.subarray(at + 16, at + 16 + length);
      if (found === 0) return undefined;
      at += 16 + Math.ceil(length / 8) * 8;
    }
    return undefined;
  };
}

/** A number as the JSON of the fixtures has it. */
export function json(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value <= 9007199254740991n && value >= -9007199254740991n ? Number(value) : String(value);
  }
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  return String(value);
}

export function hex(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text.replaceAll(" ", ""), "hex"));
}
