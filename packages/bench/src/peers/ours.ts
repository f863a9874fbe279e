import { fileSource, fileSourceSync } from "@h5/framing/node";
import { type Dataset, type H5File, open } from "@h5/reader";
import { type Slice, slice } from "@h5/selection";
import { createFile, type DatasetOptions, deflate, shuffle } from "@h5/writer";
import { fileSink } from "@h5/writer/node";
import { APPENDS, blocks, field, GROUPS, groupName, groupValues, normals, strings } from "./inputs.ts";
import { type Job, measure, type Part, type Setting } from "./measure.ts";

/** Opens a file, does something with it and closes it. */
async function withFile<T>({ path, variant }: Setting, name: string, work: (file: H5File) => Promise<T>): Promise<T> {
  const source = variant === "sync" ? fileSourceSync(path(name)) : await fileSource(path(name));
  try {
    return await work(await open(source));
  } finally {
    await source.close();
  }
}

type Target = Float32Array | Float64Array | Int32Array | BigInt64Array;

/** A target of `get`'s `into`, its memory touched, where that variant was ordered. */
function target<T extends Target>({ variant }: Setting, make: () => T): T | undefined {
  if (variant !== "into") return undefined;
  const made = make();
  new Uint8Array(made.buffer).fill(1);
  return made;
}

async function all(dataset: Dataset, into?: Target): Promise<Part> {
  const { data } = await dataset.get(null, into && { into: into as never });
  return data as unknown as Part;
}

/** Reads the whole of dataset x. */
function whole(file: string, make?: () => Target): Job {
  return (setting) => {
    const into = make && target(setting, make);
    return async () => {
      const data = await withFile(setting, file, async (opened) => all(await opened.dataset("x"), into));
      return () => [data];
    };
  };
}

function windows(file: string): Job {
  return (setting) => async () => {
    const parts = await withFile(setting, file, async (opened) => {
      const x = await opened.dataset("x");
      const found: Part[] = [];
      for (const [row, column] of setting.manifest.windows) {
        const { data } = await x.get([slice(row, row + 64), slice(column, column + 64)]);
        found.push(data as unknown as Part);
      }
      return found;
    });
    return () => parts;
  };
}

const FIELDS = ["i", "d", "b", "f", "s"] as const;

const compound: Job = (setting) => async () => {
  const columns = await withFile(setting, "g_compound.h5", async (opened) => {
    const x = await opened.dataset("x");
    if (!x.is("compound")) throw new Error(x.dtype);
    const { data } = await x.get();
    return FIELDS.map((name) => data.column(name) as unknown as Part);
  });
  return () => columns;
};

/** Every dataset's shape and attributes, in the file's order of names; with the values too where `values`. */
function walk(file: string, values: boolean): Job {
  return (setting) => async () => {
    const numbers: number[] = [];
    const units: string[] = [];
    await withFile(setting, file, async (opened) => {
      for await (const { object } of opened.visit()) {
        if (object?.kind !== "dataset") continue;
        const { n, scale, unit } = (await object.attrs.toObject()) as { n: number; scale: number; unit: string };
        numbers.push(object.shape[0]!, n, scale);
        units.push(unit);
        if (values) numbers.push(...((await object.get()).data as Float64Array));
      }
    });
    return () => [Float64Array.from(numbers), units];
  };
}

const list: Job = (setting) => async () => {
  const names = await withFile(setting, "i_wide.h5", async (opened) => (await opened.group("w")).keys());
  return () => [names];
};

const lookUp: Job = (setting) => async () => {
  const found = new Float64Array(setting.manifest.lookups.length);
  await withFile(setting, "i_wide.h5", async (opened) => {
    const w = await opened.group("w");
    for (const [i, name] of setting.manifest.lookups.entries()) {
      found[i] = (await (await w.dataset(name)).get([])) as unknown as number;
    }
  });
  return () => [found];
};

const attributes: Job = (setting) => async () => {
  const found = await withFile(setting, "j_attrs.h5", async (opened) => (await opened.dataset("x")).attrs.toObject());
  return () => {
    const values = Object.values(found);
    const numbers = values.filter((value) => typeof value === "number");
    return [Object.keys(found), Float64Array.from(numbers), values.filter((value) => typeof value === "string")];
  };
};

const ragged: Job = (setting) => async () => {
  const rows = await withFile(setting, "p_vlen.h5", async (opened) => (await (await opened.dataset("x")).get()).data);
  return () => {
    const arrays = [...(rows as unknown as Iterable<Int32Array>)];
    return [Float64Array.from(arrays, ({ length }) => length), ...arrays];
  };
};

function sparse(file: string): Job {
  return (setting) => async () => {
    const parts = await withFile(setting, file, async (opened) => {
      const x = await opened.dataset("x");
      const found: Part[] = [];
      for (const [start, end] of setting.manifest.sparse) {
        found.push((await x.get([slice(start, end)])).data as unknown as Part);
      }
      return found;
    });
    return () => parts;
  };
}

const matrixRows: Job = (setting) => async () => {
  const [from, to] = setting.manifest.s_rows;
  const parts = await withFile(setting, "s_anndata.h5", async (opened) => {
    const part = async (name: string, rows: Slice): Promise<Part> => {
      return (await (await opened.dataset(`X/${name}`)).get([rows])).data as unknown as Part;
    };
    const pointers = (await part("indptr", slice(from, to + 1))) as BigInt64Array;
    const rows = slice(Number(pointers[0]), Number(pointers.at(-1)));
    return [pointers, await part("data", rows), await part("indices", rows)];
  });
  return () => parts;
};

const matrix: Job = (setting) => {
  const { s_nnz } = setting.manifest;
  const into = {
    data: target(setting, () => new Float32Array(s_nnz)),
    indices: target(setting, () => new Int32Array(s_nnz)),
    indptr: undefined,
  };
  return async () => {
    const parts = await withFile(setting, "s_anndata.h5", async (opened) => {
      const found: Part[] = [];
      for (const name of ["data", "indices", "indptr"] as const) {
        found.push(await all(await opened.dataset(`X/${name}`), into[name]));
      }
      return found;
    });
    return () => parts;
  };
};

function rows(file: string): Job {
  return (setting) => async () => {
    const data = await withFile(setting, file, async (opened) => {
      const x = await opened.dataset(setting.manifest.t.dset);
      return (await x.get([slice(...setting.manifest.t.rows), null])).data as unknown as Part;
    });
    return () => [data];
  };
}

const listRoot: Job = (setting) => async () => {
  const names = await withFile(setting, "t_earliest.h5", (opened) => opened.keys());
  return () => [names];
};

/** Writes dataset x; the arrays are copied first where that variant was ordered. */
function write(data: (setting: Setting) => unknown, options?: DatasetOptions): Job {
  return (setting) => {
    const values = data(setting);
    return async () => {
      const file = createFile();
      file.dataset("x", values, { ...options, copy: setting.variant === "copy" });
      await file.writeTo(fileSink(setting.out));
      return () => [];
    };
  };
}

const inChunks = { shape: [4096, 4096], chunks: [256, 256] };

const writeGroups: Job = (setting) => async () => {
  const file = createFile();
  for (let i = 0; i < GROUPS; i++) {
    file
      .group(groupName(i))
      .dataset("d", groupValues(i))
      .attribute("n", i, { dtype: "int32" })
      .attribute("scale", i * 0.5)
      .attribute("unit", `unit${i % 97}`);
  }
  await file.writeTo(fileSink(setting.out));
  return () => [];
};

const append: Job = (setting) => {
  const added = blocks();
  return async () => {
    const file = createFile();
    const x = file.dataset("x", new Float64Array(0), { maxShape: [Infinity], chunks: [4096] });
    for (let k = 0; k < APPENDS; k++) x.append(added[k]);
    await file.writeTo(fileSink(setting.out));
    return () => [];
  };
};

await measure({
  a: whole("a_contiguous_f64.h5", () => new Float64Array(2 ** 24)),
  b_earliest: whole("b_earliest.h5", () => new Float32Array(2 ** 24)),
  b_latest: whole("b_latest.h5", () => new Float32Array(2 ** 24)),
  c_earliest: whole("c_earliest.h5", () => new Int32Array(2e6)),
  c_latest: whole("c_latest.h5", () => new Int32Array(2e6)),
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
  i_list: list,
  i_lookup: lookUp,
  j: attributes,
  k: whole("k_i64.h5", () => new BigInt64Array(8e6)),
  l_int: whole("l_so_int.h5", () => new Int32Array(4e6)),
  l_float: whole("l_so_float.h5", () => new Float32Array(4e6)),
  m: whole("m_fletcher.h5", () => new Float64Array(6e6)),
  n: whole("n_lzf.h5", () => new Float32Array(2896 ** 2)),
  o: whole("o_szip.h5"),
  p: ragged,
  q: whole("q_be_f32.h5", () => new Float32Array(2 ** 24)),
  r_earliest: sparse("r_earliest.h5"),
  r_latest: sparse("r_latest.h5"),
  s_slice: matrixRows,
  s_full: matrix,
  t_earliest: rows("t_earliest.h5"),
  t_paged: rows("t_paged.h5"),
  t_open: listRoot,
  w_a: write(normals),
  w_b: write(field, { ...inChunks, filters: [shuffle(), deflate(6)] }),
  w_bd: write(field, { ...inChunks, filters: [deflate(6)] }),
  w_h: writeGroups,
  w_e: write(strings),
  w_append: append,
});
