import type { Child, Dataset, H5File, H5Object } from "@h5/reader";
import { datasetElements, type ElementSource } from "../json/elements.ts";
import { attributeLines, nameByAddress } from "./attributes.ts";
import { describeLink, describeObject, describeStorage, orUnreadable } from "./describe.ts";
import type { Output } from "./output.ts";
import { textWidth } from "./table.ts";
import { LONG, textOf } from "./values.ts";

export interface DumpOptions {
  /** Path of the one object to dump. */
  readonly path?: string | undefined;
  /** Whether to print every element. */
  readonly all?: boolean | undefined;
}

/** Elements printed of a dataset unless all are asked for. */
const SHOWN = 100;
/** Elements read at a time. */
const BATCH = 65536;

/**
 * Prints objects with their attributes and values. What cannot be read is printed as that, the others all the same.
 */
export async function dump(file: H5File, options: DumpOptions, output: Output): Promise<void> {
  const path = options.path ?? "/";
  const object = await file.get(path);
  await dumpObject(path, object, options, output);
  if (object.kind !== "group") return;
  for await (const child of object.visit()) await dumpChild(child, options, output);
}

async function dumpChild(
  { link, object, path, error, cycle }: Child & { readonly cycle: boolean },
  options: DumpOptions,
  output: Output,
): Promise<void> {
  const name = output.colors.bold(path ?? link.name);
  if (error !== undefined) output.line(`${name} ${output.unreadable(error)}`);
  else if (cycle) output.line(`${name} group (one of its own ancestors)`);
  else if (object !== undefined) await dumpObject(path ?? link.name, object, options, output);
  else if (link.type !== "hard" && link.type !== "broken") output.line(`${name} ${describeLink(link).join(" ")}`);
}

async function dumpObject(path: string, object: H5Object, options: DumpOptions, output: Output): Promise<void> {
  const cells = describeObject(object, output).filter((cell) => cell !== "");
  if (object.kind === "dataset") cells.push(output.colors.dim(orUnreadable(() => describeStorage(object), output)));
  output.line([output.colors.bold(path), ...cells].join("  "));
  for (const line of await attributeLines(object, "  ", output)) output.line(line);
  if (object.kind !== "dataset") return;
  try {
    await dumpElements(object, options.all ?? false, output);
  } catch (error) {
    output.line(`  ${output.unreadable(error)}`);
  }
}

/** Values laid out by rows, each with the index of its first element. */
async function dumpElements(dataset: Dataset, all: boolean, output: Output): Promise<void> {
  const source = datasetElements(dataset, nameByAddress);
  const shown = all ? source.count : Math.min(source.count, SHOWN);
  const rowLength = dataset.shape.at(-1) ?? 1;
  for (let start = 0; start < shown; start += BATCH) {
    const count = Math.min(BATCH, shown - start);
    printBatch({ source, all, rowLength, shape: dataset.shape }, await source.list(start, count), start, output);
  }
  if (shown < source.count) output.line(output.colors.dim(`  … ${source.count - shown} more`));
}

/** What the elements of a dataset are printed by. */
interface Layout {
  readonly source: ElementSource;
  readonly all: boolean;
  readonly rowLength: number;
  readonly shape: readonly number[];
}

function printBatch(layout: Layout, values: readonly unknown[], start: number, output: Output): void {
  const { source, all, rowLength, shape } = layout;
  let line: string[] = [];
  let width = 0;
  const flush = (): void => {
    if (line.length > 0) output.line(line.join(", "));
    line = [];
  };
  for (const [i, value] of values.entries()) {
    const text = textOf(source.datatype, value, all ? undefined : LONG);
    if ((start + i) % rowLength === 0 || width + 2 + textWidth(text) > output.width) flush();
    if (line.length === 0) {
      const index = indexText(start + i, shape);
      line.push(`  ${output.colors.dim(index)} ${text}`);
      width = 3 + textWidth(index) + textWidth(text);
    } else {
      line.push(text);
      width += 2 + textWidth(text);
    }
  }
  flush();
}

/** `(2, 0)` for the flat index of an element; nothing for a scalar. */
function indexText(flat: number, shape: readonly number[]): string {
  if (shape.length === 0) return "";
  const index: number[] = [];
  let rest = flat;
  for (const length of [...shape].reverse()) {
    index.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return `(${index.join(", ")})`;
}
