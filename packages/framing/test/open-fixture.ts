import { fixtureBytes } from "@h5/testing";
import {
  bytesSource,
  defaultLimits,
  type FileContext,
  type HeaderMessage,
  locateSuperblock,
  messageType,
  type ObjectHeader,
  offsetSource,
  readObjectHeader,
  runSync,
  type Superblock,
} from "../src/index.ts";

/** A fixture of `fixtures/framing`, from its superblock on. */
export interface OpenFixture {
  readonly context: FileContext;
  readonly superblock: Superblock;
  /** Where the superblock was found. */
  readonly base: number;
  /** The file's bytes from there on, so that addresses are indexes. */
  readonly bytes: Uint8Array;
  header(address: number): ObjectHeader;
  /** The header of an object, at the address libhdf5 gives for it. */
  object(path: string): ObjectHeader;
}

/** Addresses of all objects of all fixtures, from libhdf5. */
export function fixtureAddresses(): Record<string, Record<string, number>> {
  return JSON.parse(new TextDecoder().decode(fixtureBytes("framing/addresses.json")));
}

export function openFixture(name: string): OpenFixture {
  const whole = fixtureBytes(`framing/${name}`);
  const { superblock, address: base } = runSync(locateSuperblock(), bytesSource(whole));
  const context = { offsetSize: superblock.offsetSize, lengthSize: superblock.lengthSize, limits: defaultLimits };
  const source = offsetSource(bytesSource(whole), base);
  const header = (address: number): ObjectHeader => runSync(readObjectHeader(context, address), source);
  const object = (path: string): ObjectHeader => header(fixtureAddresses()[name]![path]!);
  return { context, superblock, base, bytes: whole.subarray(base), header, object };
}

/** The only message of a type. */
export function messageOf(header: ObjectHeader, type: keyof typeof messageType): HeaderMessage {
  const found = header.messages.filter((message) => message.type === messageType[type]);
  if (found.length !== 1) throw new Error(`${found.length} ${type} messages`);
  return found[0]!;
}
