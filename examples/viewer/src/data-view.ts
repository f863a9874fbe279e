import type { Dataset, H5File } from "@h5/reader";
import { element, numberInput } from "./element.ts";
import { showImage } from "./image.ts";
import { showPlot } from "./plot.ts";
import { showTable } from "./table.ts";
import { isNumeric } from "./text.ts";

/** What is shown of a dataset: its last two dimensions, or its only one, at an index along each of the others. */
export interface View {
  readonly file: H5File;
  readonly dataset: Dataset;
  readonly leading: readonly number[];
}

/** Draws a view into an element that is empty. */
type Draw = (host: HTMLElement, view: View) => Promise<void>;

/** From here on a dataset of two dimensions is an image rather than a few lines. */
const IMAGE = 16;

/** Shows a dataset's values, in the way that suits it best; the user may choose another one. */
export async function showData(host: HTMLElement, file: H5File, dataset: Dataset): Promise<void> {
  if (dataset.spaceClass === "null" || dataset.shape.includes(0)) {
    host.append("There are no elements.");
    return;
  }
  const draws = drawsOf(dataset);
  const leading = dataset.shape.slice(0, -2).map(() => 0);
  const canvas = element("div", { className: "view" });
  let [name] = bestOf(dataset, draws);
  const buttons = Object.keys(draws).map((label) =>
    element("button", { type: "button", onclick: () => show(label) }, label),
  );
  const show = (label: string): Promise<void> => {
    name = label;
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent === label));
    canvas.replaceChildren();
    return draws[label]!(canvas, { file, dataset, leading: [...leading] });
  };
  const slices = leading.map((_, axis) =>
    numberInput(`dimension ${axis}: index`, dataset.shape[axis]! - 1, (index) => {
      leading[axis] = index;
      void show(name);
    }),
  );
  host.append(element("div", { className: "controls" }, ...buttons, ...slices), canvas);
  await show(name);
}

/** The ways in which a dataset can be shown. */
function drawsOf({ datatype, shape }: Dataset): Record<string, Draw> {
  const draws: Record<string, Draw> = { Table: showTable };
  if (isNumeric(datatype) && shape.length >= 1) draws["Plot"] = showPlot;
  if (isNumeric(datatype) && shape.length >= 2) draws["Image"] = showImage;
  return draws;
}

function bestOf({ shape }: Dataset, draws: Record<string, Draw>): [string] {
  const [rows = 1, columns = 1] = shape.slice(-2);
  if ("Image" in draws && rows >= IMAGE && columns >= IMAGE) return ["Image"];
  return "Plot" in draws && rows >= IMAGE ? ["Plot"] : ["Table"];
}
