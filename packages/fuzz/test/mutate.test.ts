import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { exercise } from "../src/exercise.ts";
import { fieldsOf } from "../src/fields.ts";
import { mendChecksums } from "../src/mend.ts";
import { applied, byteEdits, structureEdits } from "../src/mutate.ts";
import { random } from "../src/random.ts";

const bytes = fixtureBytes("reader/header-continuation.h5");
const around = { name: "header-continuation.h5", files: new Map<string, Uint8Array>() };

describe("fieldsOf", () => {
  it("finds the fields of the superblock where the specification has them", async () => {
    const fields = (await fieldsOf(bytes, around)).get("superblock") ?? [];
    expect(fields).toContainEqual({ at: 9, width: 1, structure: "superblock" });
    expect(fields).toContainEqual({ at: 28, width: 8, structure: "superblock" });
  });

  it("tells messages from the header that they are in", async () => {
    expect([...(await fieldsOf(bytes, around)).keys()]).toEqual(
      expect.arrayContaining(["object header", "datatype message"]),
    );
  });
});

describe("edits", () => {
  it("are the same for the same numbers", async () => {
    const fields = await fieldsOf(bytes, around);
    expect(structureEdits(bytes, fields, random(1, 7))).toEqual(structureEdits(bytes, fields, random(1, 7)));
    expect(byteEdits(bytes, random(1, 7))).toEqual(byteEdits(bytes, random(1, 7)));
    expect(byteEdits(bytes, random(1, 7))).not.toEqual(byteEdits(bytes, random(2, 7)));
  });

  it("leave the seed as it is, and stay inside it", () => {
    const seed = new Uint8Array(8);
    expect([...applied(seed, [{ at: 6, bytes: Uint8Array.of(1, 2, 3) }])]).toEqual([0, 0, 0, 0, 0, 0, 1, 2]);
    expect([...applied(seed, [{ cut: 2 }, { at: 6, bytes: Uint8Array.of(1) }])]).toEqual([0, 0]);
    expect([...seed]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("mendChecksums", () => {
  it("takes decoders past a sum that a change has made wrong", async () => {
    // Consistency flags that mean nothing to a reader who only reads.
    const changed = applied(bytes, [{ at: 11, bytes: Uint8Array.of(1) }]);
    const before = await exercise(changed, around);
    expect(before.opened).toBe(false);
    expect(mendChecksums(changed, before.errors)).toBe(true);
    const after = await exercise(changed, around);
    expect(after).toMatchObject({ opened: true, errors: [] });
    expect(mendChecksums(changed, after.errors)).toBe(false);
  });
});
