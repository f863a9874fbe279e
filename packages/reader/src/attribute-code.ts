/** What attributes are found and read with, loaded when one is asked for. */
export { findAttribute, readAttributes } from "./attribute-records.ts";
export { materialize, plainValue } from "./values.ts";
