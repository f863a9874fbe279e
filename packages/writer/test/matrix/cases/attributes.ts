import {
  arrayType,
  bool,
  compoundType,
  fixedStringType,
  int16be,
  opaqueType,
  uint8,
  vlenStringType,
  vlenType,
} from "@h5/datatypes";
import type { Build, MatrixCases } from "../matrix-case.ts";
import { ramp } from "./layouts.ts";

/** An object with so many attributes. */
function many(count: number): Build {
  return (file, expect) => {
    const dataset = file.dataset("/data", Uint8Array.of(1));
    const group = file.group("/group");
    const attrs: Record<string, { data: unknown }> = {};
    for (let i = 0; i < count; i++) {
      const value = i % 2 === 0 ? Int32Array.of(i, -i) : [`text ${i}`];
      dataset.attribute(`attribute ${i}`, value);
      group.attribute(`attribute ${i}`, value);
      attrs[`attribute ${i}`] = { data: value };
    }
    for (const path of ["/data", "/group"]) expect(path, { attrs, ...(count > 8 && { attr_storage: "dense" }) });
  };
}

/** An attribute of so many bytes. */
function large(size: number): Build {
  return (file, expect) => {
    const data = Uint8Array.from({ length: size }, (_, i) => (i * 31) % 256);
    file.dataset("/data", Uint8Array.of(1)).attribute("large", data).attribute("small", 1);
    expect("/data", { attrs: { large: { shape: [size], data }, small: { data: [1] } } });
    file.attribute("large", data);
    expect("/", { attrs: { large: { shape: [size], data } } });
  };
}

const newStyles = ["plain", "shared"] as const;

export const attributes: MatrixCases = {
  types(file, expect) {
    const record = compoundType([
      { name: "n", type: uint8 },
      { name: "s", type: vlenStringType() },
    ]);
    const object = file.group("/object");
    object.attribute("int", ramp(6), { shape: [2, 3] });
    object.attribute("be", [1, -1], { dtype: int16be });
    object.attribute("text", "ein Wört");
    object.attribute("texts", ["a", "", "ccc"]);
    object.attribute("fixed", ["ab", "cde"], { dtype: fixedStringType(4, "ascii", "spacepad") });
    object.attribute("flag", true, { dtype: bool });
    object.attribute("opaque", [Uint8Array.of(1, 2)], { dtype: opaqueType(2, "tag") });
    object.attribute("record", [{ n: 3, s: "three" }], { dtype: record });
    object.attribute("array", [[1, 2, 3]], { dtype: arrayType([3], uint8) });
    object.attribute("lists", [[1, 2], []], { dtype: vlenType(int16be) });
    object.attribute("complex", [[1, -2]], { dtype: "complex64" });
    object.attribute("ünicode", 5);
    object.attribute("__proto__", 6);
    expect("/object", {
      attrs: {
        int: { shape: [2, 3], data: ramp(6) },
        be: { data: [1, -1] },
        text: { shape: [], data: ["ein Wört"] },
        texts: { data: ["a", "", "ccc"] },
        fixed: { dtype: { class: "string", size: 4, charset: "ascii", pad: "spacepad" }, data: ["ab", "cde"] },
        flag: { shape: [], data: [1] },
        opaque: { data: [Uint8Array.of(1, 2)] },
        record: { data: [{ n: 3, s: "three" }] },
        array: { shape: [1], data: [[1, 2, 3]] },
        lists: { data: [[1, 2], []] },
        complex: { data: [{ r: 1, i: -2 }] },
        ünicode: { data: [5] },
      },
    });
  },

  owners(file, expect) {
    file.attribute("on", "root");
    file.namedDatatype("/type", "int32", { attrs: { on: "type" } });
    file.dataset("/data", 1, { attrs: { on: "data" } });
    expect("/", { attrs: { on: { data: ["root"] } } });
    expect("/type", { kind: "datatype", attrs: { on: { data: ["type"] } } });
    expect("/data", { attrs: { on: { data: ["data"] } } });
  },

  creationOrder: {
    styles: newStyles,
    build(file, expect) {
      for (const count of [3, 20]) {
        const object = file.dataset(`/data${count}`, 1, { trackOrder: true });
        const names = Array.from({ length: count }, (_, i) => `${(i * 7) % 20} ${i}`);
        for (const name of names) object.attribute(name, name);
        expect(`/data${count}`, {
          attrs: Object.fromEntries(names.map((name) => [name, { data: [name] }])),
          facts: { attribute_order: names },
        });
      }
    },
  },

  eight: many(8),
  nine: many(9),
  thousand: many(1000),
  large60000: large(60_000),
  large65535: { styles: newStyles, build: large(65_535) },
  large65536: { styles: newStyles, build: large(65_536) },
  large10M: { styles: newStyles, build: large(10_000_000) },

  /** Attributes too large for one header chunk together. */
  manyLarge(file, expect) {
    const data = Uint8Array.from({ length: 40_000 }, (_, i) => i % 256);
    const group = file.group("/group");
    for (let i = 0; i < 6; i++) group.attribute(`a${i}`, data);
    expect("/group", { attrs: Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`a${i}`, { data }])) });
  },
};
