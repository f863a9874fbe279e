import { bytesSource } from "@h5/framing";
import { fixtureBytes } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { readChunked } from "../custom-reader.ts";
import { listGroup, openFile } from "../list-groups.ts";

describe("the custom reader", () => {
  it("lists the root group and reads a chunked dataset that h5py wrote", async () => {
    const file = await openFile(bytesSource(fixtureBytes("reader/superblock-0-deflate.h5")));
    const links = await listGroup(file);
    expect([...links.keys()]).toEqual(["empty", "flat", "grid"]);
    expect(await readChunked(file, links.get("grid")!)).toEqual(Int16Array.from({ length: 20 }, (_, i) => i));
  });

  it("says what it does not know", async () => {
    const file = await openFile(bytesSource(fixtureBytes("reader/superblock-0-deflate.h5")));
    const links = await listGroup(file);
    await expect(readChunked(file, links.get("flat")!)).rejects.toThrow(/knows chunked datasets alone/);
  });
});
