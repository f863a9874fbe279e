import { libhdf5 } from "@h5/testing/libhdf5";
import { describe, expect, it } from "vitest";
import { attachScale, createFile, type FileBuilder, labelDimension, makeScale } from "../../src/index.ts";

interface Scaled {
  attrs: Record<string, { shape: number[]; dtype: unknown; metadata: Record<string, unknown>; value: unknown }>;
  get_attached_scales(index: number): string[];
  get_scale_name(): string | null;
  get_dimension_labels(): (string | null)[];
  attach_scale(index: number, path: string): void;
}

async function inLibhdf5<T>(
  file: FileBuilder,
  use: (get: (path: string) => Scaled) => T,
  mode: "r" | "a" = "r",
): Promise<T> {
  const built = await libhdf5(await file.encode());
  return built.open(mode, (opened) => use((path) => opened.get(path) as unknown as Scaled));
}

function field(options = {}) {
  const file = createFile(options);
  const data = file.dataset("data", new Float32Array(6), { shape: [2, 3] });
  const x = file.dataset("x", [1, 2, 3]);
  const y = file.dataset("y", [1, 2]);
  return { file, data, x, y };
}

describe("dimension scales", () => {
  it.each([{}, { trackOrder: true }, { compatibility: "earliest" }, { sharedMessages: true }] as const)(
    "are what libhdf5 takes for ones, with %j",
    async (options) => {
      const { file, data, x, y } = field(options);
      const second = makeScale(file.dataset("more/x", [4, 5, 6]), "größe");
      attachScale(data, 0, makeScale(y, "y"));
      attachScale(data, 1, x);
      labelDimension(attachScale(data, 1, second), 1, "läng");
      attachScale(file.dataset("other", new Int8Array(3)), 0, x);
      const found = await inLibhdf5(file, (get) => [
        [0, 1].map((axis) => get("/data").get_attached_scales(axis)),
        ["/x", "/y", "/more/x", "/data"].map((path) => get(path).get_scale_name()),
        get("/data").get_dimension_labels(),
        get("/other").get_attached_scales(0),
      ]);
      const labels = [null, "läng"];
      expect(found).toEqual([[["/y"], ["/x", "/more/x"]], ["", "y", "größe", null], labels, ["/x"]]);
    },
  );

  it("have the attributes that libhdf5 gives them, types and all", async () => {
    const { file, data, x } = field();
    labelDimension(attachScale(data, 1, makeScale(x, "x")), 0, "a");
    // Attached by libhdf5, to compare with.
    file.dataset("data2", new Float32Array(6), { shape: [2, 3] });
    file.dataset("x2", [1, 2, 3]);
    const described = (dataset: Scaled) =>
      Object.entries(dataset.attrs)
        .map(([name, { shape, metadata }]) => [name, shape, metadata] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1));
    const [ours, theirs] = await inLibhdf5(
      file,
      (get) => {
        const theirs = get("/data2") as Scaled & { set_dimension_label(index: number, label: string): void };
        (get("/x2") as Scaled & { make_scale(name: string): void }).make_scale("x");
        theirs.attach_scale(1, "/x2");
        theirs.set_dimension_label(0, "a");
        return [
          [get("/data"), get("/x")],
          [get("/data2"), get("/x2")],
        ].map((pair) => pair.map(described));
      },
      "a",
    );
    expect(ours).toEqual(theirs);
    expect(ours!.map((attributes) => attributes.map(([name]) => name))).toEqual([
      ["DIMENSION_LABELS", "DIMENSION_LIST"],
      ["CLASS", "NAME", "REFERENCE_LIST"],
    ]);
  });

  it("can be attached to by libhdf5 later", async () => {
    const { file, data, x, y } = field();
    attachScale(data, 0, y);
    makeScale(x);
    const scales = await inLibhdf5(
      file,
      (get) => {
        get("/data").attach_scale(1, "/x");
        get("/data").attach_scale(1, "/y");
        return [0, 1].map((axis) => get("/data").get_attached_scales(axis));
      },
      "a",
    );
    expect(scales).toEqual([["/y"], ["/x", "/y"]]);
  });

  it("are attached once, and to a scalar too", async () => {
    const { file, data, x } = field();
    attachScale(file.dataset("scalar", 1), 0, x);
    for (const axis of [1, 1, 0]) attachScale(data, axis, x);
    const uses = await inLibhdf5(file, (get) => [
      [0, 1].map((axis) => get("/data").get_attached_scales(axis)),
      get("/x").attrs["REFERENCE_LIST"]!.shape,
    ]);
    expect(uses).toEqual([[["/x"], ["/x"]], [3]]);
  });

  it("can be those of many datasets", async () => {
    const file = createFile();
    const time = makeScale(file.dataset("time", [1, 2]), "time");
    for (let i = 0; i < 400; i++) attachScale(file.dataset(`v${i}`, new Int8Array(2)), 0, time);
    const found = await inLibhdf5(file, (get) => [
      get("/time").attrs["REFERENCE_LIST"]!.shape,
      get("/v399").get_attached_scales(0),
    ]);
    expect(found).toEqual([[400], ["/time"]]);
  });

  it("refuse what libhdf5 refuses", () => {
    const { file, data, x, y } = field();
    attachScale(data, 0, y);
    expect(() => attachScale(y, 0, x)).toThrow("/y: a dimension scale cannot have scales");
    expect(() => makeScale(data)).toThrow("/data: a dataset with scales of its own cannot be one");
    expect(() => attachScale(x, 0, data)).toThrow("/x: /data has scales of its own and cannot be one");
    expect(() => attachScale(data, 0, data)).toThrow("/data: a dataset cannot be a scale of itself");
    expect(() => attachScale(data, 2, x)).toThrow("/data: dimension 2 of a dataset that has 2");
    expect(() => attachScale(data, -1, x)).toThrow("dimension -1");
    expect(() => labelDimension(data, 0.5, "a")).toThrow("dimension 0.5");
    expect(() => labelDimension(file.dataset("scalar", 1), 0, "a")).toThrow("dimension 0 of a dataset that has 0");
    expect(() => labelDimension(data, 0, "a\0")).toThrow("a label with NUL");
    expect(() => attachScale(data, 0, field().x)).toThrow("scale /x is in another file");
    const image = file.dataset("image", new Uint8Array(2)).attribute("CLASS", "IMAGE", {
      dtype: { class: "string", version: 1, size: 6, pad: "nullterm", charset: "ascii" },
    });
    expect(() => attachScale(image, 0, x)).toThrow("/image: a dataset of class IMAGE cannot have scales");
    const own = file.dataset("own", new Uint8Array(2)).attribute("DIMENSION_LIST", 1);
    expect(() => attachScale(own, 0, x)).toThrow('/own: there is an attribute "DIMENSION_LIST" already');
    expect(() => makeScale(makeScale(x, "a"), "b")).toThrow('/x: there is an attribute "NAME" already');
  });

  it("do not grow beyond what old structures hold", async () => {
    const file = createFile({ compatibility: "earliest" });
    const scale = file.dataset("scale", [1]);
    for (let i = 0; i < 4085; i++) attachScale(file.dataset(`v${i}`, new Int8Array(1)), 0, scale);
    const last = file.dataset("last", new Int8Array(1));
    expect(() => attachScale(last, 0, scale)).toThrow("/last: a scale of 4085 dimensions, more than");
    expect((await file.encode()).length).toBeGreaterThan(0);
  });
});
