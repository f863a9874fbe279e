// Runs the program on a file of the disk, in Node, Deno or Bun, and prints what it gives.
import { argv } from "node:process";
import { fileSource } from "@h5/framing/node";
import { smoke } from "./program.mjs";

const source = await fileSource(argv[2]);
console.log(JSON.stringify(await smoke(source)));
await source.close();
