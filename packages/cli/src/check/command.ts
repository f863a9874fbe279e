import type { Command } from "commander";
import { allFilters, locate } from "../location.ts";
import { printable, type Writable } from "../text/output.ts";
import { checkFile } from "./file.ts";
import type { Finding } from "./finding.ts";
import { findingLine, summaryLine } from "./report.ts";

const STATUS_HELP = `
Exit status: 0 where there is no error, warnings or not; 1 where there are errors; 2 where there is no HDF5 file.`;

interface CheckFlags {
  readonly json?: boolean | undefined;
  readonly data?: boolean | undefined;
}

/** Adds `check` to a program; `check` does it. */
export function addCheckCommand(program: Command, check: (location: string, flags: CheckFlags) => Promise<void>): void {
  program
    .command("check")
    .description("look for what is wrong with a file, everywhere in it")
    .argument("<FILE>", "a file")
    .option("--data", "read all data too: undo its filters, follow its references")
    .option("--json", "print one JSON document")
    .addHelpText("after", STATUS_HELP)
    .action(check);
}

/**
 * Checks a file and prints what was found.
 *
 * @returns whether there are errors
 * @throws what `checkFile` throws
 */
export async function printCheck(location: string, { json, data }: CheckFlags, stdout: Writable): Promise<boolean> {
  const findings = await findingsAt(location, data);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  if (json) {
    const document = { file: location, errors, warnings: findings.length - errors, findings };
    stdout.write(`${JSON.stringify(document)}\n`);
  } else {
    for (const line of linesOf(findings)) stdout.write(`${printable(line)}\n`);
  }
  return errors > 0;
}

function linesOf(findings: readonly Finding[]): string[] {
  return [...findings.map(findingLine), summaryLine(findings)];
}

async function findingsAt(location: string, data: boolean | undefined): Promise<Finding[]> {
  const { source, name, external, close } = await locate(location);
  try {
    return await checkFile(source, { data, name, external, filters: allFilters });
  } finally {
    await close();
  }
}
