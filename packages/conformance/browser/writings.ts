/** Writes a file to each place that a page can write to; the test calls what is put on `globalThis`. */
import { createFile, deflate, type FileBuilder, shuffle, streamSink, writableFileSink } from "@h5/writer";

function build(): FileBuilder {
  const file = createFile();
  const values = Float64Array.from({ length: 6000 }, (_, i) => i / 4);
  file.dataset("data", values, { shape: [60, 100], chunks: [16, 100], filters: [shuffle(), deflate()] });
  file.dataset("names", ["a", "größer", ""]).attribute("unit", "m");
  return file;
}

/** A new file in the origin's own file system, and what it holds once `write` is done or has failed. */
async function inOriginFiles(write: (stream: FileSystemWritableFileStream) => Promise<void>): Promise<number[]> {
  const folder = await navigator.storage.getDirectory();
  const handle = await folder.getFileHandle(`${crypto.randomUUID()}.h5`, { create: true });
  await write(await handle.createWritable()).catch(() => {});
  return Array.from(new Uint8Array(await (await handle.getFile()).arrayBuffer()));
}

async function inMemory(): Promise<number[]> {
  return Array.from(await build().encode());
}

function inFile(): Promise<number[]> {
  return inOriginFiles((stream) => build().writeTo(writableFileSink(stream)));
}

/** A file whose data ends too early. */
function inFailingFile(): Promise<number[]> {
  const file = build();
  file.dataset("broken", new Set([new Uint8Array(10)]), { dtype: "uint8", shape: [1000] });
  return inOriginFiles((stream) => file.writeTo(writableFileSink(stream)));
}

async function inStream(): Promise<number[]> {
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const [bytes] = await Promise.all([new Response(readable).arrayBuffer(), build().writeTo(streamSink(writable))]);
  return Array.from(new Uint8Array(bytes));
}

Object.assign(globalThis, { writings: { inMemory, inFile, inFailingFile, inStream } });
