import { InvalidFieldError } from "@h5/framing";
import { describe, expect, it } from "vitest";
import { outputTo, printable } from "../../src/text/output.ts";

const ESC = String.fromCharCode(27);

describe("printable", () => {
  it("spells control characters out, and leaves the program's own colours where it uses any", () => {
    expect(printable("a\tb\r\n\0")).toBe("a\\x09b\\x0d\\x0a\\x00");
    expect(printable(`${ESC}[2J${ESC}]0;title\u0007`)).toBe("\\x1b[2J\\x1b]0;title\\x07");
    expect(printable(`${ESC}[1mbold${ESC}[22m é 長い`, true)).toBe(`${ESC}[1mbold${ESC}[22m é 長い`);
    expect(printable(`${ESC}[8mhidden${ESC}[0m`, true)).toBe("\\x1b[8mhidden\\x1b[0m");
    expect(printable(`${ESC}[1mbold`)).toBe("\\x1b[1mbold");
  });
});

describe("outputTo", () => {
  it("takes what the stream says of itself, or 80 columns and no colours", () => {
    const written: string[] = [];
    const stream = { write: (text: string) => written.push(text) };
    expect(outputTo(stream).width).toBe(80);
    expect(outputTo({ ...stream, columns: 33 }).width).toBe(33);
    const terminal = { ...stream, isTTY: true };
    const outputs = [outputTo(stream), outputTo(terminal), outputTo(terminal, { NO_COLOR: "1" })];
    for (const output of [...outputs, outputTo(terminal, { TERM: "dumb" })]) output.line(output.colors.red("x"));
    expect(written).toEqual(["x\n", `${ESC}[31mx${ESC}[39m\n`, "x\n", "x\n"]);
  });

  it("counts what cannot be read, and throws faults of ours on", () => {
    const output = outputTo({ write: () => {} });
    expect(output.unreadable(new InvalidFieldError("no good", { structure: "heap" }))).toBe("unreadable heap: no good");
    expect(output.failures).toBe(1);
    expect(() => output.unreadable(new TypeError("a bug"))).toThrow(TypeError);
    expect(output.failures).toBe(1);
  });
});
