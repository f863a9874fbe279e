import { describe, expect, it, vi } from "vitest";
import { memorySink, type WritableFileLike, writableFileSink } from "../../src/index.ts";
import { sampleFile } from "./sample.ts";

/** As a browser has it: what is written shows once the stream is closed. */
function writableFile() {
  const written = memorySink();
  let shown: Uint8Array | undefined;
  const stream = {
    write: vi.fn<WritableFileLike["write"]>(async ({ type, position, data }) => {
      expect(type).toBe("write");
      written.write(position, data);
    }),
    close: vi.fn<WritableFileLike["close"]>(async () => {
      shown = written.bytes();
    }),
    abort: vi.fn<WritableFileLike["abort"]>(async () => {}),
  };
  return { stream, shown: () => shown };
}

describe("writableFileSink", () => {
  it("writes a file", async () => {
    const { stream, shown } = writableFile();
    await sampleFile().writeTo(writableFileSink(stream));
    expect(Buffer.from(shown()!).equals(await sampleFile().encode())).toBe(true);
    expect(stream.abort).not.toHaveBeenCalled();
  });

  it("drops what was written where a step fails, with the browser's error as the cause", async () => {
    const cause = new Error("quota exceeded");
    for (const step of ["write", "close"] as const) {
      const { stream, shown } = writableFile();
      stream[step].mockRejectedValue(cause);
      const error = await sampleFile()
        .writeTo(writableFileSink(stream))
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "SOURCE", cause });
      expect(stream.abort.mock.calls).toEqual([[error]]);
      expect(shown()).toBeUndefined();
    }
  });
});
