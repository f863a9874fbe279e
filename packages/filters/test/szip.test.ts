import { describe, expect, it } from "vitest";
import { szipDecoder } from "../src/szip.ts";
import { unhex } from "./chunks.ts";

const options = { maxBytes: 1 << 20, address: 32 };
const EC = 128 + 8 + 4;
const NN = 128 + 8 + 32;

describe("the szip decoder", () => {
  it("copies samples of blocks that are not coded", () => {
    // Option 7 of 3 bits, then eight samples of 8 bits.
    const bits = `111${[1, 2, 3, 250, 5, 6, 7, 8].map((v) => v.toString(2).padStart(8, "0")).join("")}`;
    expect(szipDecoder.decode(chunk(8, bits), [EC, 8, 8, 8], options)).toEqual(unhex("010203fa05060708"));
  });

  it("joins split samples", () => {
    // Option 3: two low bits each. 1 = 0|01, 7 = 1|11.
    const bits = `011${"1"}${"01"}${"1"}${"1"}${"01"}${"11"}${"10"}${"00"}`;
    expect(szipDecoder.decode(chunk(4, bits), [EC, 4, 8, 4], options)).toEqual(unhex("01070200"));
  });

  it("undoes the prediction", () => {
    // Reference 250, then +1, -1, and past the upper end.
    const bits = `111${[250, 2, 1, 12].map((v) => v.toString(2).padStart(8, "0")).join("")}`;
    expect(szipDecoder.decode(chunk(4, bits), [NN, 4, 8, 4], options)).toEqual(unhex("fafbfaf3"));
  });

  it("fills zero blocks up to the end of the scanline or of 64 blocks", () => {
    const rest = "000" + "0" + "00001";
    expect(szipDecoder.decode(chunk(256, rest.repeat(2)), [EC, 2, 8, 256], options)).toEqual(new Uint8Array(256));
    expect(szipDecoder.decode(chunk(200, rest.repeat(2)), [EC, 2, 8, 200], options)).toEqual(new Uint8Array(200));
    expect(() => szipDecoder.decode(chunk(256, rest), [EC, 2, 8, 256], options)).toThrow("past the end of the chunk");
  });

  it.each([
    ["three parameters", [EC, 8, 8], "expected 4 parameters, got 3"],
    ["an odd block", [EC, 7, 8, 8], "an even number of pixels per block up to 32, got 7"],
    ["an empty block", [EC, 0, 8, 8], "an even number of pixels per block up to 32, got 0"],
    ["a large block", [EC, 34, 8, 68], "an even number of pixels per block up to 32, got 34"],
    ["no bits", [EC, 8, 0, 8], "expected 1 to 32 or 64 bits per pixel, got 0"],
    ["40 bits", [EC, 8, 40, 8], "expected 1 to 32 or 64 bits per pixel, got 40"],
    ["no scanline", [EC, 8, 8, 0], "expected 1 to 4096 pixels per scanline, got 0"],
    ["a long scanline", [EC, 8, 8, 4097], "expected 1 to 4096 pixels per scanline, got 4097"],
    ["half a pixel", [EC, 8, 16, 8], "expected whole pixels of 2 bytes, got 3 bytes"],
  ])("refuses %s", (_, params, message) => {
    expect(() => szipDecoder.decode(chunk(3, "1"), params, options)).toThrow(message);
  });

  it.each([
    ["a chunk without length", unhex("0100"), "expected a length of 4 bytes, got 2"],
    ["a length above the limit", chunk(2 ** 20 + 1, "1"), "limits.chunkBytes allows 1048576"],
    ["a length the code cannot give", chunk(2 ** 20, "1"), "5 bytes cannot give the 1048576 they claim"],
    ["more zero blocks than fit", chunk(8, `0000${"0".repeat(20)}1`), "20 zero blocks where the scanline has 1 left"],
    ["a pair above the last", chunk(8, `0001${"0".repeat(91)}1`), "second-extension code above 90"],
  ])("refuses %s", (_, bytes, message) => {
    expect(() => szipDecoder.decode(bytes, [EC, 8, 8, 8], options)).toThrow(message);
  });
});

/** A chunk of `size` decoded bytes, its code given as binary digits. */
function chunk(size: number, bits: string): Uint8Array {
  const padded = bits.padEnd(8 * Math.ceil(bits.length / 8), "0");
  const bytes = new Uint8Array(4 + padded.length / 8);
  new DataView(bytes.buffer).setUint32(0, size, true);
  for (let i = 4; i < bytes.length; i++) bytes[i] = Number.parseInt(padded.slice(8 * (i - 4), 8 * (i - 3)), 2);
  return bytes;
}
