import { compareBytes, InvalidArgumentError } from "@h5/framing";
import type { FileModel } from "../model/file.ts";
import type { ByteSink } from "../sink/byte-sink.ts";
import { FilePass } from "./file-pass.ts";
import { SinkOutput, type WriteOptions } from "./sink-output.ts";
import { SinkSpace } from "./sink-space.ts";

/**
 * Writes a file: elements and what leads to them first, then the object headers in front of them, last the superblock.
 * Until then there is no HDF5 file where the sink writes to. Only sequential sinks get them in the order of addresses.
 */
export async function writeFile(model: FileModel, sink: ByteSink, options: WriteOptions): Promise<void> {
  const { signal } = options;
  try {
    const output = new SinkOutput(sink, options);
    if (output.sequential) await writeInOrder(model, output, options);
    else await writeAnywhere(model, output, options);
    output.check();
    await sink.close?.({ signal });
  } catch (error) {
    const reason = signal?.aborted ? signal.reason : error;
    try {
      await sink.abort?.(reason);
    } catch {
      // The first failure is what the caller must see.
    }
    throw reason;
  }
}

async function writeAnywhere(model: FileModel, output: SinkOutput, { signal }: WriteOptions): Promise<void> {
  const base = model.userblock.length;
  const space = new SinkSpace(output, base);
  const { superblock, headers, end } = await new FilePass(model, space, { dry: false, signal }).run();
  output.totalBytes = base + end;
  space.put(superblock.length, headers);
  await space.finish();
  await output.write(0, model.userblock);
  await output.write(base, superblock);
}

/**
 * The superblock and the headers must go first, and they say where everything is: so the file is written twice, the
 * first time to nowhere.
 */
async function writeInOrder(model: FileModel, output: SinkOutput, { signal }: WriteOptions): Promise<void> {
  const base = model.userblock.length;
  const nowhere = new SinkOutput({ write: () => {} }, { signal });
  const measured = await new FilePass(model, new SinkSpace(nowhere, base), { dry: true, signal }).run();
  output.totalBytes = base + measured.end;
  const space = new SinkSpace(output, base);
  space.put(-base, model.userblock);
  space.put(0, measured.superblock);
  space.put(measured.superblock.length, measured.headers);
  const { headers, end } = await new FilePass(model, space, { dry: false, signal }).run();
  if (end !== measured.end || compareBytes(headers, measured.headers) !== 0) {
    const reason = "data or what filters make of it was not the same twice";
    throw new InvalidArgumentError(`measured a file of ${measured.end} bytes, wrote ${end}: ${reason}`);
  }
  await space.finish();
}
