import type { Finding } from "./finding.ts";

/** A finding in one line: severity, address, structure, path, what is wrong. */
export function findingLine({ severity, structure, address, path, message }: Finding): string {
  const at = address === undefined ? "" : ` at ${address}`;
  return `${severity}: ${structure}${at}${path === undefined ? "" : ` (${path})`}: ${message}`;
}

/** How many findings there are of each severity. */
export function summaryLine(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  return `${count(errors, "error")}, ${count(findings.length - errors, "warning")}`;
}

function count(number: number, noun: string): string {
  return `${number === 0 ? "no" : number} ${noun}${number === 1 ? "" : "s"}`;
}
