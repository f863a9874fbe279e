export { type ByteSink, type MemorySink, memorySink } from "./sink/byte-sink.ts";
