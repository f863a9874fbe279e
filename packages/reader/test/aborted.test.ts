import { afterEach, describe, expect, it, vi } from "vitest";
import * as reader from "../src/index.ts";
import * as stored from "../src/stored.ts";
import { bytesOf, openFixture } from "./fixture.ts";

type Call = (options: reader.SignalOptions) => unknown;

const weather = (): Promise<reader.H5File> => openFixture("weather");
const temperature = async (): Promise<reader.Dataset> => (await weather()).dataset("temperature");
const empty = async (name: string): Promise<reader.Dataset> => (await openFixture("fill-values")).dataset(name);

/** What is opened before, and all that takes a signal then, where nothing needs to be fetched. */
function everything(file: reader.H5File, dataset: reader.Dataset, version: reader.Attribute): Record<string, Call> {
  const { attrs } = file;
  const reference = { kind: "object", address: file.address } as const;
  return {
    open: (options) => reader.open(bytesOf("weather"), options),
    dimensionScales: (options) => reader.dimensionScales(file, dataset, options),
    "Attribute.get": (options) => version.get(options),
    "Attributes.survey": (options) => attrs.survey(options),
    "Attributes.list": (options) => attrs.list(options),
    "Attributes.names": (options) => attrs.names(options),
    "Attributes.has": (options) => attrs.has("none", options),
    "Attributes.attribute": (options) => attrs.attribute("none", options),
    "Attributes.get": (options) => attrs.get("version", options),
    "Attributes.toObject": (options) => attrs.toObject(options),
    "Dataset.fillValue": (options) => dataset.fillValue(options),
    "Dataset.get": (options) => dataset.get(null, options),
    "Dataset.chunks": (options) => dataset.chunks(options).next(),
    "Dataset.chunkInfo": (options) => dataset.chunkInfo(options),
    "Dataset.readRawChunk": (options) => dataset.readRawChunk([0], options),
    "Group.get": (options) => file.get("/", options),
    "Group.group": (options) => file.group("/", options),
    "Group.dataset": (options) => file.dataset("none", options),
    "Group.has": (options) => file.has("/", options),
    "Group.keys": (options) => file.keys(options),
    "Group.links": (options) => file.links(options),
    "Group.children": (options) => file.children(options),
    "Group.visit": (options) => file.visit(options).next(),
    "H5File.readUserblock": (options) => file.readUserblock(options),
    "H5File.dereference": (options) => file.dereference(reference, options),
    "H5File.pathOf": (options) => file.pathOf({ address: file.address }, options),
    "H5File.region": (options) => file.region(reference as never, options),
    getStored: (options) => stored.getStored(dataset, null, options),
    getStoredAttribute: (options) => stored.getStoredAttribute(version, options),
    getStoredFill: (options) => stored.getStoredFill(dataset, options),
    externalSlots: (options) => stored.externalSlots(dataset, options),
    memberSpaceOf: (options) => stored.memberSpaceOf({} as never, undefined, options),
    rawChunks: (options) => stored.rawChunks(dataset, options).next(),
  };
}

/** Those that take no signal. */
const AT_ONCE = ["Attribute.stored", "Dataset.is", "Dataset.reading", "Group.nodeOf", "sourceOf", "fillOf"];

function methodsOf({ name, prototype }: { readonly name: string; readonly prototype: object }): string[] {
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return own.flatMap(([key, { value }]) => (value && key !== "constructor" ? [`${name}.${key}`] : []));
}

async function callsOn(name: string): Promise<Record<string, Call>> {
  const file = await weather();
  return everything(file, await empty(name), await file.attrs.attribute("version"));
}

describe("a signal that has aborted before", () => {
  it("is heeded by everything that takes one", async () => {
    const calls = Object.keys(await callsOn("unwritten"));
    const exported = { ...reader, ...stored };
    const names = Object.entries(exported).flatMap(([name, value]) =>
      "prototype" in value && value.prototype !== undefined && /^[A-Z]/.test(name) ? methodsOf(value) : [name],
    );
    expect([...calls, ...AT_ONCE].sort()).toEqual(names.sort());
  });

  it.each(["unwritten", "default", "null", "compact"])("rejects where nothing is fetched: %s", async (name) => {
    for (const [what, call] of Object.entries(await callsOn(name))) {
      await expect(call({ signal: AbortSignal.abort("no") }), what).rejects.toBe("no");
    }
  });

  it("rejects the read of one dataset that is at hand", async () => {
    const dataset = await temperature();
    await dataset.get();
    await expect(dataset.get([0, 0], { signal: AbortSignal.abort("no") })).rejects.toBe("no");
  });
});

describe("a signal that aborts meanwhile", () => {
  it("ends a walk over what is at hand", async () => {
    const controller = new AbortController();
    const walk = (await weather()).visit({ signal: controller.signal });
    expect((await walk.next()).done).toBe(false);
    controller.abort("enough");
    await expect(walk.next()).rejects.toBe("enough");
  });

  it.each([0, 2])("ends the tiles of a dataset, %i of them read ahead", async (ahead) => {
    const controller = new AbortController();
    const tiles = (await empty("unwritten")).chunks({ tileShape: [1], ahead, signal: controller.signal });
    expect((await tiles.next()).done).toBe(false);
    controller.abort("enough");
    await expect(tiles.next()).rejects.toBe("enough");
  });

  afterEach(() => {
    vi.doUnmock("../src/reading.ts");
    vi.doUnmock("../src/attribute-code.ts");
    vi.resetModules();
  });

  it.each([
    [
      "../src/reading.ts",
      "elements",
      (dataset: reader.Dataset, options: reader.SignalOptions) => dataset.get(null, options),
    ],
    [
      "../src/attribute-code.ts",
      "attributes",
      ({ attrs }: reader.Dataset, options: reader.SignalOptions) => attrs.list(options),
    ],
  ])("ends the wait for %s, the code for %s", async (path, _, read) => {
    vi.resetModules();
    vi.doMock(path, () => new Promise(() => {}));
    const { open } = await import("../src/index.ts");
    const dataset = await (await open(bytesOf("weather"))).dataset("temperature");
    const controller = new AbortController();
    const reading = read(dataset, { signal: controller.signal });
    setTimeout(() => controller.abort("enough"), 5);
    await expect(reading).rejects.toBe("enough");
  });
});
