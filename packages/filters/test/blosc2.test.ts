import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { fixturePath } from "@h5/testing";
import { describe, expect, it } from "vitest";
import { blosc2Decoder } from "../src/blosc2.ts";
import { unhex } from "./chunks.ts";

const maxBytes = 1 << 16;
const decode = async (bytes: Uint8Array, most = maxBytes) => blosc2Decoder.decode(bytes, [], { maxBytes: most });

/** The frames in a file, found by how they begin; each says its length. What they hold is compared with libhdf5 elsewhere. */
function framesIn(file: string): Uint8Array[] {
  const bytes = readFileSync(fixturePath(`community/${file}.h5`));
  const frames: Uint8Array[] = [];
  for (let at = bytes.indexOf("b2frame\0"); at >= 0; at = bytes.indexOf("b2frame\0", at + 8)) {
    const start = at - 2;
    frames.push(new Uint8Array(bytes.subarray(start, start + Number(bytes.readBigUInt64BE(start + 0x10)))));
  }
  return frames;
}

const frames = [...framesIn("blosc2"), ...framesIn("blosc2-arrays")];

/** A frame of one chunk of its own. */
function frameOf(chunkHex: string, total: number, size: number, flags = 0): Uint8Array {
  const chunk = unhex(chunkHex);
  const frame = frames[0]!.slice(0, 0x61 + 32 + chunk.length + 40);
  frame.fill(0, 0x61);
  const view = new DataView(frame.buffer);
  view.setUint32(0x0b, 0x61);
  view.setBigUint64(0x1e, BigInt(total));
  view.setBigUint64(0x27, BigInt(32 + chunk.length));
  view.setUint32(0x30, size);
  view.setUint32(0x3a, total);
  const header = (at: number, codec: number, length: number, stored: number, special: number) => {
    frame.set([5, 1, codec, size], at);
    for (const [i, number] of [length, length, stored].entries()) view.setUint32(at + 4 + 4 * i, number, true);
    frame[at + 31] = special;
  };
  header(0x61, 0x17, total, 32 + chunk.length, flags);
  frame.set(chunk, 0x61 + 32);
  header(0x61 + 32 + chunk.length, 0x07, 8, 40, 0);
  return frame;
}

describe("frames of the plugin", () => {
  it("are there, of each kind", () => expect(frames.length).toBeGreaterThan(30));

  it("are refused cut short", async () => {
    for (const frame of frames) {
      for (const length of [0, 9, 0x5d, 0x60, 0x70, frame.length >> 1, frame.length - 36]) {
        await expect(decode(frame.subarray(0, length))).rejects.toSatisfy((error) => isH5Error(error, "INVALID_FIELD"));
      }
    }
  });

  it("are refused above the limit", async () => {
    for (const frame of frames) {
      const { length } = await decode(frame);
      await expect(decode(frame, length - 1)).rejects.toThrow("limits.chunkBytes allows");
    }
  });

  it("of an array are refused with a block cut short", async () => {
    for (const frame of framesIn("blosc2-arrays")) {
      const view = new DataView(frame.buffer);
      const chunk = view.getUint32(0x0b);
      if (view.getBigUint64(0x27) === 0n || frame[chunk + 31]! >> 4 !== 0) continue;
      const cut = view.getUint32(chunk + 8, true) >> 1;
      view.setUint32(chunk + 4, view.getUint32(chunk + 4, true) - cut, true);
      await expect(decode(frame)).rejects.toThrow("in blocks of");
    }
  });

  it("with a changed byte give an H5Error, or as many bytes as the frame says", async () => {
    for (const [i, frame] of frames.entries()) {
      for (let at = i % 23; at < Math.min(frame.length, 0xf0); at += 23) {
        const changed = frame.slice();
        changed[at]! ^= 1 << (at % 8);
        try {
          expect((await decode(changed)).length).toBeLessThanOrEqual(maxBytes);
        } catch (error) {
          if (!isH5Error(error, "INVALID_FIELD", "LIMIT_EXCEEDED", "UNSUPPORTED_FEATURE")) throw error;
        }
      }
    }
  });
});

describe("a chunk of one value", () => {
  it.each([
    ["zeros", "", 8, 1, "00000000 00000000"],
    ["NaN, single", "", 4, 2, "0000c07f 0000c07f"],
    ["NaN, double", "", 8, 2, "000000000000f87f"],
    ["any value", "010203", 3, 3, "010203 010203 010203"],
    ["no value of meaning", "", 2, 4, "0000 0000"],
  ])("is filled with %s", async (_, chunk, size, special, expected) => {
    const output = unhex(expected);
    expect(await decode(frameOf(chunk, output.length, size, special << 4))).toEqual(output);
  });

  it.each([
    ["NaN of two bytes", "", 2, 2],
    ["a value cut short", "0102", 3, 3],
    ["a value of no kind", "", 2, 5],
  ])("is refused with %s", async (_, chunk, size, special) => {
    await expect(decode(frameOf(chunk, 12, size, special << 4))).rejects.toThrow(`no value ${special}`);
  });
});
