import { readFileSync } from "node:fs";
import {
  bytesSource,
  decodeLayout,
  defaultLimits,
  type FileContext,
  type HeaderMessage,
  locateSuperblock,
  messageType,
  type Plan,
  readObjectHeader,
  runSync,
} from "@h5/framing";
import { decodeDataspace } from "@h5/selection";
import { fixtureBytes, fixturePath } from "@h5/testing";
import type { ChunkedDataset } from "../src/index.ts";

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

/** What the header at `address` says of chunked storage. */
export function chunkedDataset({ context, run }: Fixture, address: number): ChunkedDataset {
  const { messages } = run(readObjectHeader(context, address));
  const layout = decodeLayout(body(messages, messageType.layout)!, context);
  const { shape, maxShape } = decodeDataspace(body(messages, messageType.dataspace)!, context);
  if (layout.class !== "chunked") throw new Error(`the layout is ${layout.class}`);
  return { layout, shape, maxShape, filtered: body(messages, messageType.filterPipeline) !== undefined };
}

/** The body of the first message of one type. */
export function body(messages: readonly HeaderMessage[], type: number): Uint8Array | undefined {
  return messages.find((message) => message.type === type)?.body;
}

export function fixtureJson(name: string): unknown {
  return JSON.parse(readFileSync(fixturePath(name), "utf8"));
}
