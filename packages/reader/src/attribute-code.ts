/** What attributes are found and read with, loaded when one is asked for. */
export { findAttribute, readAttributes } from "./attribute-records.ts";
export { plainValue, readPlainValues } from "./attribute-values.ts";
export { materialize } from "./values.ts";
