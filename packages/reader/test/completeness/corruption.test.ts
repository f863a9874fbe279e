import { isH5Error } from "@h5/framing";
import { flips, patched, sample, truncations } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { type H5File, type NamedDatatype, open } from "../../src/index.ts";
import { bytesOf, json, plainData, readAll } from "./fixture.ts";

interface Case {
  readonly structure: string;
  readonly at: number;
  /** What libhdf5 refuses to read; `file`, or `crash` where it did not live to tell. */
  readonly libhdf5: readonly string[];
}

/** Everything that is wrong with a file, by path; a file that does not open has the error at no path. */
async function errorsOf(bytes: Uint8Array): Promise<Map<string, unknown>> {
  try {
    return await readAll(await open(bytes));
  } catch (error) {
    return new Map([["", error]]);
  }
}

function untyped(errors: Map<string, unknown>): unknown[] {
  return [...errors.values()].filter((error) => !isH5Error(error));
}

describe("what libhdf5 refuses", () => {
  const bytes = bytesOf("corrupt");
  const cases = json<Case[]>("corrupt.cases");

  it.each(cases)("is refused with a typed error: $structure, byte $at", async ({ at, libhdf5 }) => {
    const changed = patched(bytes, at, [bytes[at]! ^ 0xff]);
    const errors = await errorsOf(changed);
    expect(untyped(errors)).toEqual([]);
    expect(errors.size).toBeGreaterThan(0);
    // An object refused there is refused here, and what is whole is read all the same.
    if (libhdf5.length > 1 || errors.has("")) return;
    const [refused] = libhdf5[0] === "crash" ? ["dense"] : libhdf5;
    expect([...errors.keys()].filter((path) => !path.startsWith(`/${refused}`))).toEqual([]);
  });
});

/** Files that together have every structure there is. */
const FILES = [
  "corrupt",
  "committed-earliest",
  "committed-latest",
  "data-last",
  "filtered-heap",
  "four-byte-chunks",
  "masks-latest",
  "names-earliest",
  "odd-types",
  "references",
  "regions",
  "shared-list",
  "shared-trees",
  "values",
  "framing/cache-image",
  "framing/links",
];

describe.each(FILES)("%s", (name) => {
  const bytes = bytesOf(name);

  it("with any byte changed is read, or refused by typed errors", async () => {
    const step = Math.ceil(bytes.length / 50);
    for (const mask of [0xff, 0x01]) {
      for (const mutant of flips(bytes, mask, step))
        expect([mutant.at, untyped(await errorsOf(mutant.bytes))]).toEqual([mutant.at, []]);
    }
  });

  it("with any four bytes set to a number is read, or refused by typed errors", async () => {
    for (const at of sample(25, bytes.length - 4)) {
      for (const value of [
        [0, 0, 0, 0],
        [255, 255, 255, 127],
        [1, 0, 0, 0],
      ]) {
        expect([at, untyped(await errorsOf(patched(bytes, at, value)))]).toEqual([at, []]);
      }
    }
  });

  it("cut anywhere is read as far as it goes, or refused by typed errors", async () => {
    for (const mutant of truncations(bytes, Math.ceil(bytes.length / 30))) {
      expect([mutant.at, untyped(await errorsOf(mutant.bytes))]).toEqual([mutant.at, []]);
    }
  });
});

describe("shared messages", () => {
  const readShared = async (bytes: Uint8Array): Promise<unknown> => {
    const file: H5File = await open(bytes);
    const dataset = await file.dataset("data 0");
    return await plainData(await dataset.attrs.attribute("same everywhere"));
  };

  it.each(["shared-list", "shared-trees"])(
    "are refused where a structure on the way to them is damaged: %s",
    async (name) => {
      const bytes = bytesOf(name);
      expect(await readShared(bytes)).toEqual(Array.from({ length: 12 }, (_, i) => i));
      for (const signature of ["SMTB", "FRHP", "FHDB"]) {
        const found = Buffer.from(bytes).indexOf(signature);
        expect(found).toBeGreaterThan(0);
        // The signature, the version or what stands there, and the rest up to the checksum.
        for (const offset of [0, 4, 5, 8]) {
          await expect(
            readShared(patched(bytes, found + offset, [bytes[found + offset]! ^ 0xff])),
          ).rejects.toMatchObject({
            code: expect.stringMatching(/INVALID_FIELD|UNSUPPORTED_FEATURE|UNEXPECTED_EOF/),
          });
        }
      }
    },
  );

  it("that share themselves are refused", async () => {
    // A committed datatype whose own message is made a pointer to it.
    const bytes = bytesOf("regions");
    const { address } = await (await open(bytes)).get("type");
    // After the 16 bytes of a version 1 prefix: type, size, flags and 3 reserved bytes of the first message.
    const view = new DataView(bytes.buffer, address + 16);
    expect([view.getUint16(0, true), view.getUint8(4)]).toEqual([3, 5]);
    view.setUint8(4, 3);
    view.setUint16(8, 0x0203, true);
    view.setBigUint64(10, BigInt(address), true);
    const type = await (await open(bytes)).get("type");
    expect(() => (type as NamedDatatype).datatype).toThrow(expect.objectContaining({ code: "INVALID_FIELD", address }));
  });
});
