/** What of @bcoe/v8-coverage is used here: the package brings no types. */
declare module "@bcoe/v8-coverage" {
  import type { Profiler } from "node:inspector";

  export interface ProcessCov {
    readonly result: readonly Profiler.ScriptCoverage[];
  }

  export function mergeProcessCovs(processes: readonly ProcessCov[]): ProcessCov;
}
