import { type Datatype, type StructArray, scalarOf, type Values } from "@h5/datatypes";
import { type Sel, slice } from "@h5/selection";
import type { View } from "./data-view.ts";
import { element, numberInput } from "./element.ts";
import { task } from "./task.ts";
import { elementType, listText, textOf } from "./text.ts";

/** Rows and columns shown, and read, at a time. */
const ROWS = 50;
const COLUMNS = 12;

/** A window of the table, in rows and columns. */
interface Window {
  row: number;
  column: number;
}

/**
 * Shows a table: of two dimensions their rows and columns, of one the elements below each other, of compounds the members
 * side by side. Reads what is in the window alone.
 */
export async function showTable(host: HTMLElement, view: View): Promise<void> {
  const { rows, columns } = sizeOf(view);
  const at: Window = { row: 0, column: 0 };
  const body = element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": "Values" });
  const read = async (): Promise<void> => {
    const table = await task("data", `Reading ${view.dataset.path ?? "values"}`, ({ signal, onProgress }) =>
      readWindow(view, at, { signal, onProgress }),
    );
    if (table !== undefined) body.replaceChildren(table);
  };
  const controls = element("div", { className: "controls" });
  if (rows > ROWS) controls.append(...pager("row", rows, ROWS, at, read));
  if (columns > COLUMNS) controls.append(...pager("column", columns, COLUMNS, at, read));
  host.append(controls, body);
  await read();
}

/** A number for the first row or column, and buttons for the window before and after. */
function pager(axis: keyof Window, total: number, size: number, at: Window, read: () => Promise<void>): HTMLElement[] {
  const label = numberInput(axis, total - 1, (first) => {
    at[axis] = first;
    void read();
  });
  const input = label.querySelector("input")!;
  const move = (by: number): void => {
    input.valueAsNumber = at[axis] + by;
    input.dispatchEvent(new Event("change"));
  };
  const button = (text: string, name: string, by: number): HTMLElement =>
    element("button", { type: "button", "aria-label": `${name} ${axis}s`, onclick: () => move(by) }, text);
  return [button("◀", "previous", -size), label, button("▶", "next", size)];
}

function membersOf({ dataset }: View): readonly { readonly name: string; readonly type: Datatype }[] | undefined {
  return dataset.datatype.class === "compound" && dataset.shape.length < 2 ? dataset.datatype.members : undefined;
}

function sizeOf(view: View): { rows: number; columns: number } {
  const { shape } = view.dataset;
  const columns = membersOf(view)?.length ?? (shape.length < 2 ? 1 : shape.at(-1)!);
  return { rows: shape.at(shape.length < 2 ? 0 : -2) ?? 1, columns };
}

async function readWindow(
  view: View,
  at: Window,
  options: Parameters<View["dataset"]["get"]>[1],
): Promise<HTMLElement> {
  const { rows, columns } = sizeOf(view);
  const rowCount = Math.min(ROWS, rows - at.row);
  const columnCount = Math.min(COLUMNS, columns - at.column);
  const members = membersOf(view)?.slice(at.column, at.column + columnCount);
  const names = members?.map(({ name }) => name) ?? namesOf(view, at.column, columnCount);
  const window: Sel[] = [slice(at.row, at.row + rowCount), slice(at.column, at.column + columnCount)];
  const { dataset, leading } = view;
  const selection =
    dataset.shape.length === 0 ? null : [...leading, ...window.slice(0, Math.min(dataset.shape.length, 2))];
  const fields = members && { fields: members.map(({ name }) => name) };
  const { data } = (await dataset.get(selection, { ...options, ...fields })) as { data: Values };
  const cell = members
    ? memberCells(members, data as StructArray)
    : elementCells(dataset.datatype, data, rowCount, columnCount);
  const body = Array.from({ length: rowCount }, (_, r) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, String(at.row + r)),
      ...names.map((_, c) => element("td", {}, cell(r, c))),
    ),
  );
  const head = element("tr", {}, ...["", ...names].map((name) => element("th", { scope: "col" }, name)));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

function namesOf({ dataset }: View, first: number, count: number): string[] {
  return dataset.shape.length < 2 ? ["value"] : Array.from({ length: count }, (_, i) => String(first + i));
}

/** The text of a cell, by its row and column in the window. */
type Cells = (row: number, column: number) => string;

function memberCells(members: readonly { readonly name: string; readonly type: Datatype }[], data: StructArray): Cells {
  return (row, column) => {
    const { name, type } = members[column]!;
    return textOf(type, scalarOf(type, data.column<Values>(name), row));
  };
}

/** The elements of an array datatype share a cell. */
function elementCells(datatype: Datatype, data: Values, rows: number, columns: number): Cells {
  const type = elementType(datatype);
  if (type === datatype) return (row, column) => textOf(type, scalarOf(type, data, row * columns + column));
  const each = (data as ArrayLike<unknown>).length / (rows * columns);
  return (row, column) => listText(type, data, (row * columns + column) * each, each);
}
