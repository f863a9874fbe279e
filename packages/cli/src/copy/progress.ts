import type { Writable } from "../text/output.ts";

const BAR = 30;
const MEGABYTE = 1e6;

/** A line that shows how far a copy is, on a terminal alone. */
export interface ProgressLine {
  readonly show: (done: number, total: number) => void;
  /** Takes the line away, so that something else can be written. */
  clear(): void;
}

/** The line of a terminal; of anything else, one that shows nothing. */
export function progressLine(stream: Writable): ProgressLine {
  let shown = "";
  const show = (text: string): void => {
    if (text === shown) return;
    stream.write(`\r${text.padEnd(shown.length)}${text === "" ? "\r" : ""}`);
    shown = text;
  };
  if (stream.isTTY !== true) return { show: () => {}, clear: () => {} };
  return { show: (done, total) => show(lineOf(done, total)), clear: () => show("") };
}

/** Chunks are as large as they are stored, so that there may be less to copy than there are elements. */
function lineOf(done: number, total: number): string {
  const part = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.round(part * BAR);
  const bytes = (count: number): string => (count / MEGABYTE).toFixed(1);
  return `[${"#".repeat(full)}${"-".repeat(BAR - full)}] ${bytes(done)} of ${bytes(total)} MB`;
}
