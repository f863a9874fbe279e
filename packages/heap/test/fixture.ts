import { readFileSync } from "node:fs";
import {
  bytesSource,
  defaultLimits,
  type FileContext,
  type HeaderMessage,
  locateSuperblock,
  type Plan,
  runSync,
} from "@h5/framing";
import { fixtureBytes, fixturePath } from "@h5/testing";

/** A fixture opened far enough to read indexes in it. */
export interface Fixture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly context: FileContext;
  readonly rootAddress: number;
  run<T>(plan: Plan<T>): T;
}

export function openFixture(name: string): Fixture {
  return openBytes(fixtureBytes(name));
}

export function openBytes(bytes: Uint8Array<ArrayBuffer>): Fixture {
  const source = bytesSource(bytes);
  const { superblock } = runSync(locateSuperblock(), source);
  const { offsetSize, lengthSize, rootAddress } = superblock;
  const context = { offsetSize, lengthSize, limits: defaultLimits };
  return { bytes, context, rootAddress, run: (plan) => runSync(plan, source) };
}

/** The body of the first message of one type. */
export function body(messages: readonly HeaderMessage[], type: number): Uint8Array | undefined {
  return messages.find((message) => message.type === type)?.body;
}

export function fixtureJson(name: string): unknown {
  return JSON.parse(readFileSync(fixturePath(name), "utf8"));
}
