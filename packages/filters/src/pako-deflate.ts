/** The compressor, a module of its own to be loaded when it is needed. */
export { deflate } from "pako";
