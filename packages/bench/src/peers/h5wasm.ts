import h5wasm from "h5wasm/node";
import { APPENDS, blocks, field, GROUPS, groupName, groupValues, normals, strings } from "./inputs.ts";
import { type Job, measure, type Part, type Setting } from "./measure.ts";

const { File, ready } = h5wasm;
type File = InstanceType<typeof File>;
type Dataset = InstanceType<typeof h5wasm.Dataset>;

// Without it a chunk whose filter is missing reads as whatever memory held.
(await ready).activate_throwing_error_handler();

function withFile<T>(path: string, mode: "r" | "w", work: (file: File) => T): T {
  const file = new File(path, mode);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

function dataset(file: File, path: string): Dataset {
  return file.get(path) as Dataset;
}

function reading(name: string, work: (file: File, setting: Setting) => readonly Part[]): Job {
  return (setting) => async () => {
    const parts = withFile(setting.path(name), "r", (file) => work(file, setting));
    return () => parts;
  };
}

function whole(name: string): Job {
  return reading(name, (file) => [dataset(file, "x").value as unknown as Part]);
}

function windows(name: string): Job {
  return reading(name, (file, { manifest }) => {
    const x = dataset(file, "x");
    return manifest.windows.map(([row, column]) => {
      return x.slice([
        [row, row + 64],
        [column, column + 64],
      ]) as unknown as Part;
    });
  });
}

const compound: Job =
  ({ path }) =>
  async () => {
    const table = withFile(path("g_compound.h5"), "r", (file) => dataset(file, "x").value) as unknown as unknown[][];
    return () => {
      const column = (k: number): number[] => table.map((row) => row[k] as number);
      return [
        Int32Array.from(column(0)),
        Float64Array.from(column(1)),
        Uint8Array.from(column(3)),
        Float32Array.from(column(4)),
        column(2) as unknown as string[],
      ];
    };
  };

function walk(name: string, values: boolean): Job {
  return reading(name, (file) => {
    const numbers: number[] = [];
    const units: string[] = [];
    for (const group of file.keys()) {
      const d = dataset(file, `${group}/d`);
      const n = d.get_attribute("n", false) as number;
      numbers.push(d.shape![0]!, n, d.get_attribute("scale", false) as number);
      units.push(d.get_attribute("unit", false) as string);
      if (values) numbers.push(...(d.value as Float64Array));
    }
    return [Float64Array.from(numbers), units];
  });
}

const lookUp = reading("i_wide.h5", (file, { manifest }) => {
  return [Float64Array.from(manifest.lookups, (name) => dataset(file, `w/${name}`).value as number)];
});

const attributes = reading("j_attrs.h5", (file) => {
  const found = Object.entries(dataset(file, "x").attrs).map(([name, { value }]) => [name, value] as const);
  const values = found.map(([, value]) => value);
  const numbers = values.filter((value) => typeof value === "number");
  return [found.map(([name]) => name), Float64Array.from(numbers), values.filter((value) => typeof value === "string")];
});

const ragged: Job =
  ({ path }) =>
  async () => {
    const rows = withFile(path("p_vlen.h5"), "r", (file) => dataset(file, "x").value) as unknown as Int32Array[];
    return () => [Float64Array.from(rows, ({ length }) => length), ...rows];
  };

function sparse(name: string): Job {
  return reading(name, (file, { manifest }) => {
    const x = dataset(file, "x");
    return manifest.sparse.map(([start, end]) => x.slice([[start, end]]) as unknown as Part);
  });
}

const matrixRows = reading("s_anndata.h5", (file, { manifest }) => {
  const [from, to] = manifest.s_rows;
  const part = (name: string, start: number, end: number): Part => {
    return dataset(file, `X/${name}`).slice([[start, end]]) as unknown as Part;
  };
  const pointers = part("indptr", from, to + 1) as BigInt64Array;
  const [start, end] = [Number(pointers[0]), Number(pointers.at(-1))];
  return [pointers, part("data", start, end), part("indices", start, end)];
});

const matrix = reading("s_anndata.h5", (file) => {
  return ["data", "indices", "indptr"].map((name) => dataset(file, `X/${name}`).value as unknown as Part);
});

function rows(name: string): Job {
  return reading(name, (file, { manifest }) => {
    const [start, end] = manifest.t.rows;
    return [
      dataset(file, manifest.t.dset).slice([
        [start, end],
        [0, 1024],
      ]) as unknown as Part,
    ];
  });
}

function writing<T>(data: (setting: Setting) => T, work: (file: File, data: T) => void): Job {
  return (setting) => {
    const values = data(setting);
    return async () => {
      withFile(setting.out, "w", (file) => work(file, values));
      return () => [];
    };
  };
}

function writeGroups(file: File): void {
  for (let i = 0; i < GROUPS; i++) {
    const d = file.create_group(groupName(i)).create_dataset({ name: "d", data: groupValues(i) });
    d.create_attribute("n", i, [], "<i4");
    d.create_attribute("scale", i * 0.5, [], "<d");
    d.create_attribute("unit", `unit${i % 97}`);
  }
}

function append(file: File, added: readonly Float64Array[]): void {
  const empty = { data: new Float64Array(0), shape: [0], maxshape: [null], chunks: [4096] };
  const x = file.create_dataset({ name: "x", ...empty });
  for (let k = 0; k < APPENDS; k++) {
    x.resize([(k + 1) * 1000]);
    x.write_slice([[k * 1000, (k + 1) * 1000]], added[k]);
  }
}

await measure({
  a: whole("a_contiguous_f64.h5"),
  b_earliest: whole("b_earliest.h5"),
  b_latest: whole("b_latest.h5"),
  c_earliest: whole("c_earliest.h5"),
  c_latest: whole("c_latest.h5"),
  d_earliest: windows("b_earliest.h5"),
  d_latest: windows("b_latest.h5"),
  e_contig: whole("e_contig.h5"),
  e_chunk: whole("e_chunk.h5"),
  f: whole("f_fixed.h5"),
  g: compound,
  h_earliest: walk("h_earliest.h5", false),
  h_latest: walk("h_latest.h5", false),
  hd_earliest: walk("h_earliest.h5", true),
  hd_latest: walk("h_latest.h5", true),
  i_list: reading("i_wide.h5", (file) => [(file.get("w") as File).keys()]),
  i_lookup: lookUp,
  j: attributes,
  k: whole("k_i64.h5"),
  l_int: whole("l_so_int.h5"),
  l_float: whole("l_so_float.h5"),
  m: whole("m_fletcher.h5"),
  n: whole("n_lzf.h5"),
  o: whole("o_szip.h5"),
  p: ragged,
  q: whole("q_be_f32.h5"),
  r_earliest: sparse("r_earliest.h5"),
  r_latest: sparse("r_latest.h5"),
  s_slice: matrixRows,
  s_full: matrix,
  t_earliest: rows("t_earliest.h5"),
  t_paged: rows("t_paged.h5"),
  t_open: reading("t_earliest.h5", (file) => [file.keys()]),
  w_a: writing(normals, (file, data) => file.create_dataset({ name: "x", data })),
  w_bd: writing(field, (file, data) => {
    const layout = { shape: [4096, 4096], chunks: [256, 256], compression: 6 };
    file.create_dataset({ name: "x", data, ...layout });
  }),
  w_h: writing(() => undefined, writeGroups),
  w_e: writing(strings, (file, data) => file.create_dataset({ name: "x", data })),
  w_append: writing(blocks, append),
});
