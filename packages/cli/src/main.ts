import { readFileSync } from "node:fs";
import { isH5Error } from "@h5/framing";
import { fileSink } from "@h5/writer/node";
import { Command, CommanderError } from "commander";
import { addCheckCommand, printCheck } from "./check/command.ts";
import { addCopyCommand } from "./copy/command.ts";
import { copyFile } from "./copy/copy-file.ts";
import type { CopyOptions } from "./copy/options.ts";
import { progressLine } from "./copy/progress.ts";
import { interruptible } from "./interruption.ts";
import { jsonError } from "./json/error.ts";
import { toJson } from "./json/to-json.ts";
import { type Opened, openLocation } from "./location.ts";
import { type DumpOptions, dump } from "./text/dump.ts";
import { type LsOptions, ls } from "./text/ls.ts";
import { type Environment, type Output, outputTo, printable, type Writable } from "./text/output.ts";

/** The streams the program writes to, and the environment it runs in. */
export interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly environment?: Environment | undefined;
}

/** Exit statuses: all was read; something could not be; the command line makes no sense, or there is nothing to check. */
const OK = 0;
const FAILED = 1;
const USAGE = 2;
const NO_FILE = 2;

/** Runs `h5` with the arguments after the program's name; gives the exit status and never throws what a file caused. */
export async function main(args: readonly string[], streams: Streams): Promise<number> {
  let status: number = OK;
  const fail = (error: unknown, location: string = "", failure: number = FAILED): void => {
    status = failure;
    if (error === undefined) return;
    const line = oneLine(error);
    const name = printable(location);
    const named = name === "" || line.includes(name) ? line : `${name}: ${line}`;
    streams.stderr.write(`h5: ${named}\n`);
  };
  const program = createProgram(streams, fail);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE;
    fail(error);
  }
  return status;
}

/** Ends the program with a status, and with a line where there is an error to tell of. */
type Fail = (error: unknown, location?: string, status?: number) => void;

function createProgram(streams: Streams, fail: Fail): Command {
  const program = new Command("h5")
    .description("List, dump, check and copy HDF5 files. FILE is a path or an http(s) URL.")
    .option("-V, --version", "print the version")
    .on("option:version", () => {
      streams.stdout.write(`${ownVersion()}\n`);
      throw new CommanderError(OK, "commander.version", "");
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text),
    });
  program
    .command("ls")
    .description("list the objects of a group")
    .argument("<FILE[/path]>", "a file, and the path of a group or other object in it")
    .option("-r, --recursive", "list everything below the group")
    .option("-v, --verbose", "show storage, attributes, comments and times")
    .action((location: string, options: LsOptions) => listLocation(location, options, streams, fail));
  program
    .command("dump")
    .description("print objects with their attributes and values")
    .argument("<FILE...>", "files; several with --json alone")
    .option("-d, --dataset <path>", "only the object at this path")
    .option("-a, --all", "print every element, not only the first ones")
    .option("--json", "print one JSON document a line for each file")
    .action((locations: string[], options: DumpFlags, command: Command) => {
      if (options.json && (options.all || options.dataset)) command.error("error: --json takes neither -d nor -a");
      if (options.json) return dumpJson(locations, streams, fail);
      if (locations.length > 1) command.error("error: several files need --json");
      return dumpText(locations[0]!, options, streams, fail);
    });
  addCheckCommand(program, async (location, flags) => {
    try {
      if (await printCheck(location, flags, streams.stdout)) fail(undefined);
    } catch (error) {
      fail(error, location, NO_FILE);
    }
  });
  addCopyCommand(program, (from, to, options) => copyLocation(from, to, options, streams, fail));
  return program;
}

/** The version in this package's manifest, which is beside sources and build alike. */
function ownVersion(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

interface DumpFlags {
  readonly dataset?: string | undefined;
  readonly all?: boolean | undefined;
  readonly json?: boolean | undefined;
}

async function listLocation(location: string, options: LsOptions, streams: Streams, fail: Fail): Promise<void> {
  await printFrom(location, streams, fail, ({ file, path }, output) => ls(file, path, options, output));
}

async function dumpText(location: string, flags: DumpFlags, streams: Streams, fail: Fail): Promise<void> {
  await printFrom(location, streams, fail, ({ file, path }, output) => {
    const options: DumpOptions = { path: flags.dataset ?? path, all: flags.all };
    return dump(file, options, output);
  });
}

/** Prints something of a file; what cannot be read ends in one line for the errors, with the file's name. */
async function printFrom(
  location: string,
  streams: Streams,
  fail: Fail,
  print: (opened: Opened, output: Output) => Promise<void>,
): Promise<void> {
  const output = outputTo(streams.stdout, streams.environment);
  try {
    await withFile(location, (opened) => print(opened, output));
  } catch (error) {
    fail(error, location);
  }
  const { failures } = output;
  if (failures > 0) {
    fail(new Error(`${failures} ${failures === 1 ? "part" : "parts"} of the file could not be read`), location);
  }
}

async function dumpJson(locations: readonly string[], streams: Streams, fail: Fail): Promise<void> {
  for (const location of locations) {
    let document: unknown;
    try {
      await withFile(location, async ({ file, name }) => {
        document = await toJson(file, baseName(name));
      });
    } catch (error) {
      document = { file: baseName(location), error: jsonError(error) };
      fail(error, location);
    }
    streams.stdout.write(`${JSON.stringify(document)}\n`);
  }
}

async function copyLocation(
  from: string,
  to: string,
  options: CopyOptions,
  { stderr }: Streams,
  fail: Fail,
): Promise<void> {
  const line = progressLine(stderr);
  const warn = (path: string, message: string): void => {
    line.clear();
    stderr.write(`h5: warning: ${printable(`${from}: ${path}: ${message}`)}\n`);
  };
  try {
    await withFile(from, async ({ file, path }) => {
      const only = path === "/" ? options.only : [path, ...(options.only ?? [])];
      await interruptible((signal) =>
        copyFile(file, fileSink(to), { ...options, only, signal }, { warn, progress: line.show }),
      );
    });
  } catch (error) {
    line.clear();
    fail(error, from);
  }
  line.clear();
}

async function withFile(location: string, use: (opened: Opened) => Promise<void>): Promise<void> {
  const opened = await openLocation(location);
  try {
    await use(opened);
  } finally {
    await opened.close();
  }
}

function baseName(location: string): string {
  return location.slice(location.lastIndexOf("/") + 1);
}

/** An error in one line; a stack is of no use to someone whose file is broken. */
function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = isH5Error(error) ? ` [${error.code}]` : "";
  return printable(`${message}${networkReason(error)}`.replaceAll(/\s+/g, " ")) + code;
}

/** Why a request failed, which fetch keeps two causes down. */
function networkReason(error: unknown): string {
  const { code } =
    (((error as Error | undefined)?.cause as Error | undefined)?.cause as { code?: string } | undefined) ?? {};
  return code === undefined ? "" : ` (${code})`;
}
