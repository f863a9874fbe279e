import { type Dataset, type Dimension, dimensionScales, type ReadOptions } from "@h5/reader";
import { slice } from "@h5/selection";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { View } from "./data-view.ts";
import { element, numberInput } from "./element.ts";
import { type NumberArray, numbersOf } from "./numbers.ts";
import { task } from "./task.ts";
import { isNumeric } from "./text.ts";

/** Points of a line; of more every n-th is read. */
const POINTS = 20_000;
/** Lines at a time, and their colours, which are told apart with any colour vision (Okabe and Ito). */
const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/** What is drawn: where the points are along the axis, and a line of values for each column. */
interface Lines {
  readonly x: Float64Array;
  readonly y: readonly Float64Array[];
  readonly xTitle: string;
  readonly yTitle: string;
  readonly names: readonly string[];
  /** The axis is time, in seconds since 1970. */
  readonly isTime: boolean;
  readonly step: number;
}

/** Shows the columns of the last two dimensions, or the only one, as lines over the dimension's scale if it has one. */
export async function showPlot(host: HTMLElement, view: View): Promise<void> {
  const { shape } = view.dataset;
  const columns = shape.length < 2 ? 1 : shape.at(-1)!;
  const chart = element("div", { className: "chart" });
  const read = async (first: number): Promise<void> => {
    const lines = await task("data", `Reading ${view.dataset.path ?? "values"}`, (options) =>
      readLines(view, first, options),
    );
    if (lines === undefined) return;
    chart.replaceChildren();
    draw(chart, lines);
  };
  if (columns > COLORS.length) host.append(numberInput("first column", columns - 1, read));
  host.append(chart);
  await read(0);
}

async function readLines({ file, dataset, leading }: View, first: number, options: ReadOptions): Promise<Lines> {
  const { shape } = dataset;
  const axis = Math.max(shape.length - 2, 0);
  const step = Math.ceil(shape[axis]! / POINTS);
  const rows = slice(null, null, step);
  const columns = shape.length < 2 ? [] : [slice(first, first + COLORS.length)];
  const read = (await dataset.get([...leading, rows, ...columns], options)) as NumberArray;
  const values = await numbersOf(dataset, read, options);
  const count = read.shape[1] ?? 1;
  const dimensions = await dimensionScales(file, dataset, options);
  const scale = scaleOf(dimensions[axis]);
  const units = scale && (await textAttribute(scale.dataset, "units", options));
  const time = units === undefined ? undefined : timeOf(units);
  const at =
    scale && (await numbersOf(scale.dataset, (await scale.dataset.get([rows], options)) as NumberArray, options));
  return {
    x:
      at === undefined
        ? Float64Array.from({ length: read.shape[0]! }, (_, i) => i * step)
        : at.map((value) => (time ? time.start + value * time.unit : value)),
    y: Array.from({ length: count }, (_, c) => values.filter((_, i) => i % count === c)),
    xTitle: scale === undefined ? (dimensions[axis]?.label ?? "index") : titled(scale.name, time ? "UTC" : units),
    yTitle: titled(
      (await textAttribute(dataset, "long_name", options)) ?? dataset.path,
      await textAttribute(dataset, "units", options),
    ),
    names: columns.length === 0 ? ["value"] : await columnNames(dimensions[axis + 1], first, count, options),
    isTime: time !== undefined,
    step,
  };
}

/** The first scale of a dimension that gives each of its places a number. */
function scaleOf(dimension: Dimension | undefined): { readonly dataset: Dataset; readonly name: string } | undefined {
  const found = dimension?.scales.find(
    ({ dataset: { datatype, shape } }) => isNumeric(datatype) && shape.length === 1 && shape[0] === dimension.size,
  );
  return found && { dataset: found.dataset, name: found.name ?? dimension?.label ?? "scale" };
}

async function columnNames(
  dimension: Dimension | undefined,
  first: number,
  count: number,
  options: ReadOptions,
): Promise<string[]> {
  const scale = scaleOf(dimension);
  if (scale === undefined) return Array.from({ length: count }, (_, i) => `column ${first + i}`);
  const units = await textAttribute(scale.dataset, "units", options);
  const { data } = (await scale.dataset.get([slice(first, first + count)], options)) as NumberArray;
  return Array.from({ length: count }, (_, i) => `${scale.name} ${data[i]} ${units ?? ""}`);
}

async function textAttribute({ attrs }: Dataset, name: string, options: ReadOptions): Promise<string | undefined> {
  const value = (await attrs.has(name, options)) ? await attrs.get(name, options) : undefined;
  return typeof value === "string" ? value : undefined;
}

function titled(name: string | undefined, units: string | undefined): string {
  return `${name ?? ""}${units === undefined ? "" : ` (${units})`}`;
}

const SECONDS: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86400 };

/** Units of time as the climate and forecast conventions spell them, `hours since 2024-05-01 00:00:00`, in seconds. */
function timeOf(units: string): { readonly start: number; readonly unit: number } | undefined {
  const [, unit, date, clock] = /^(second|minute|hour|day)s? since (\d+-\d+-\d+)[ T]?([\d:.]*)/.exec(units) ?? [];
  const start = Date.parse(`${date}T${clock || "00:00:00"}Z`) / 1000;
  return Number.isNaN(start) ? undefined : { start, unit: SECONDS[unit!]! };
}

function draw(chart: HTMLElement, { x, y, xTitle, yTitle, names, isTime, step }: Lines): void {
  const options: uPlot.Options = {
    width: Math.max(chart.clientWidth, 300),
    height: 380,
    scales: { x: { time: isTime } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    series: [{ label: xTitle }, ...names.map((label, i) => ({ label, stroke: COLORS[i]!, width: 2 }))],
    axes: [{ label: xTitle }, { label: yTitle, size: 60 }],
  };
  // The library leaves a gap for null; to NaN it would draw a point.
  const columns = y.map((column) => Array.from(column, (value) => (Number.isNaN(value) ? null : value)));
  new uPlot(options, [x, ...columns], chart);
  chart.setAttribute("role", "img");
  chart.setAttribute("aria-label", `${yTitle} over ${xTitle}: ${names.join(", ")}`);
  if (step > 1) chart.append(element("p", {}, `Every ${step}th value.`));
}
