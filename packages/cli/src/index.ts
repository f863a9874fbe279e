export { type JsonFile, toJson } from "./json/to-json.ts";
