import { isH5Error } from "@h5/framing";
import type { ChunkFilter } from "@h5/writer";
import { type Command, InvalidArgumentError } from "commander";
import { filterOf, NO_FILTERS } from "./filters.ts";
import type { CopyOptions } from "./options.ts";

const FILTER_HELP = `
Filters, in the order in which chunks go through them:
  deflate[:level]  shuffle  fletcher32  lzf  lz4  bitshuffle  blosc  nbit  szip[:pixels]  scaleoffset[:bits]  scaleoffset-float:decimals
  none: no filters at all
Datasets that cannot have them keep their own, with a warning.`;

interface CopyFlags {
  readonly filter?: readonly ChunkFilter[] | undefined;
  readonly chunk?: readonly number[] | undefined;
  readonly only?: readonly string[] | undefined;
  readonly earliest?: boolean | undefined;
}

/** Adds `copy` to a program; `copy` does it. */
export function addCopyCommand(
  program: Command,
  copy: (from: string, to: string, options: CopyOptions) => Promise<void>,
): void {
  program
    .command("copy")
    .description("write a copy of a file, repacked if asked to")
    .argument("<IN[/path]>", "a file, and the path of the only object in it to be copied")
    .argument("<OUT>", "path of the copy; what is there is replaced once all is written")
    .option("-f, --filter <name>", "filter of all datasets, in place of their own; several in turn", addFilter)
    .option("-c, --chunk <sizes>", "chunk shape of datasets of as many dimensions, as in 100,100", chunkShape)
    .option("--only <path>", "only the object at this path and what is below it; several in turn", addPath)
    .option("--earliest", "write what HDF5 1.6 reads")
    .addHelpText("after", FILTER_HELP)
    .action((from: string, to: string, { filter, chunk, only, earliest }: CopyFlags) =>
      copy(from, to, { filters: filter, chunks: chunk, only, earliest }),
    );
}

function addFilter(word: string, before?: readonly ChunkFilter[]): readonly ChunkFilter[] {
  const isNone = word === NO_FILTERS;
  if (before !== undefined && isNone !== (before.length === 0))
    throw new InvalidArgumentError(`${NO_FILTERS} goes with no other filter`);
  try {
    return isNone ? [] : [...(before ?? []), filterOf(word)];
  } catch (error) {
    if (!isH5Error(error, "INVALID_ARGUMENT")) throw error;
    throw new InvalidArgumentError(error.message);
  }
}

function addPath(path: string, before: readonly string[] = []): readonly string[] {
  return [...before, path];
}

function chunkShape(value: string): readonly number[] {
  const sizes = value.split(",").map(Number);
  if (sizes.every((size) => Number.isSafeInteger(size) && size > 0)) return sizes;
  throw new InvalidArgumentError("expected whole numbers above 0 with commas between them");
}
