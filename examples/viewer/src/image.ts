import { slice } from "@h5/selection";
import type { View } from "./data-view.ts";
import { element } from "./element.ts";
import { type NumberArray, numbersOf } from "./numbers.ts";
import { task } from "./task.ts";

/** Pixels along a side; of a longer one every n-th element is read. */
const LONGEST = 1024;
/** Matplotlib's viridis (CC0) at equal distances, as red, green and blue. */
const VIRIDIS = [
  68, 1, 84, 71, 45, 123, 59, 82, 139, 44, 114, 142, 33, 145, 140, 40, 174, 128, 94, 201, 98, 173, 220, 48, 253, 231,
  37,
];

/**
 * Shows the last two dimensions as an image in false colours, from the least value to the greatest; NaN and what is
 * missing are left out.
 */
export async function showImage(host: HTMLElement, { dataset, leading }: View): Promise<void> {
  const [rows, columns] = dataset.shape.slice(-2) as [number, number];
  const step = Math.ceil(Math.max(rows, columns) / LONGEST);
  const every = slice(null, null, step);
  const values = await task("data", `Reading ${dataset.path ?? "values"}`, async (options) =>
    numbersOf(dataset, (await dataset.get([...leading, every, every], options)) as NumberArray, options),
  );
  if (values === undefined) return;
  const [height, width] = [Math.ceil(rows / step), Math.ceil(columns / step)];
  const range = rangeOf(values);
  const [low, high] = [range.low, range.high].map((value) => Number(value.toPrecision(7)));
  const caption = `${low} to ${high}${step > 1 ? `; every ${step}th row and column` : ""}`;
  const canvas = element("canvas", {
    width,
    height,
    role: "img",
    "aria-label": `Image of ${rows} × ${columns} values, ${caption}`,
  });
  const scale = element("canvas", { width: 256, height: 1, className: "scale", "aria-hidden": true });
  paint(canvas, values, range);
  paint(
    scale,
    Float64Array.from({ length: 256 }, (_, i) => i),
    { low: 0, high: 255 },
  );
  const under = element("output", {}, "");
  canvas.onmousemove = ({ offsetX, offsetY }) => {
    const [row, column] = [
      Math.floor((offsetY / canvas.clientHeight) * height),
      Math.floor((offsetX / canvas.clientWidth) * width),
    ];
    under.textContent = `[${[...leading, row * step, column * step].join(", ")}] = ${values[row * width + column]}`;
  };
  host.append(element("div", { className: "caption" }, scale, caption, " ", under), canvas);
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function rangeOf(values: Float64Array): Range {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low > high ? { low: 0, high: 0 } : { low, high };
}

function paint(canvas: HTMLCanvasElement, values: Float64Array, { low, high }: Range): void {
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(canvas.width, canvas.height);
  const last = VIRIDIS.length / 3 - 1;
  for (const [i, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    const place = high > low ? Math.min(Math.max((value - low) / (high - low), 0), 1) * last : 0;
    const from = Math.min(Math.floor(place), last - 1);
    for (let c = 0; c < 3; c++) {
      const [a, b] = [VIRIDIS[from * 3 + c]!, VIRIDIS[from * 3 + 3 + c]!];
      image.data[i * 4 + c] = a + (b - a) * (place - from);
    }
    image.data[i * 4 + 3] = 255;
  }
  context.putImageData(image, 0, 0);
}
