"""Makes the files of the comparison, the same each time, in .bench-data or $BENCH_DATA:
node packages/bench/run.mjs generate [a b c …]"""
import json
import os
import sys
import time

import h5py
import numpy as np

FOLDER = os.environ.get("BENCH_DATA") or os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".bench-data")
MANIFEST = os.path.join(FOLDER, "manifest.json")
# h5py's "earliest" is the oldest format that can hold the data.
FORMATS = {"earliest": ("earliest", "latest"), "latest": "latest"}


def path(name):
    return os.path.join(FOLDER, name)


def create(name, libver="earliest", **options):
    return h5py.File(path(name), "w", libver=FORMATS[libver], **options)


def field(size, seed):
    """Smooth, with noise, and about 8 fractional bits, as calibrated detector data has."""
    random = np.random.default_rng(seed)
    y = np.linspace(0, 12, size)[:, None]
    x = np.linspace(0, 9, size)[None, :]
    values = (np.sin(y) * np.cos(x) * 100 + 0.3 * np.sin(11 * y + 7 * x)).astype(np.float32)
    values += random.normal(0, 0.05, (size, size)).astype(np.float32)
    return np.round(values * 256) / np.float32(256)


def words(count, seed):
    """5 to 40 characters; every tenth ends with one of two bytes."""
    random = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. "))
    lengths = random.integers(5, 41, count)
    text = "".join(letters[random.integers(0, len(letters), lengths.sum())])
    found, at = [], 0
    for i, length in enumerate(lengths):
        word = text[at : at + length]
        at += length
        found.append(word[:-1] + "é" if i % 10 == 0 else word)
    return found


def a(manifest):
    with create("a_contiguous_f64.h5") as file:
        x = file.create_dataset("x", data=np.random.default_rng(1).standard_normal(2**24))
        manifest["a_offset"] = x.id.get_offset()


def b(manifest):
    values = field(4096, 2)
    values.tofile(path("b_f32.raw"))
    for libver in FORMATS:
        with create(f"b_{libver}.h5", libver) as file:
            filters = {"compression": "gzip", "compression_opts": 6, "shuffle": True}
            file.create_dataset("x", data=values, chunks=(256, 256), **filters)
    manifest["windows"] = np.random.default_rng(4).integers(0, 4096 - 64, (100, 2)).tolist()


def c(_):
    values = np.cumsum(np.random.default_rng(3).integers(-3, 4, 2_000_000)).astype("i4")
    for libver in FORMATS:
        with create(f"c_{libver}.h5", libver) as file:
            file.create_dataset("x", data=values, chunks=(1000,), compression="gzip", compression_opts=1)


def e(_):
    strings = words(500_000, 5)
    with open(path("e_strings.txt"), "w", encoding="utf8") as file:
        file.write("\n".join(strings))
    for name, options in (("contig", {}), ("chunk", {"chunks": (8192,)})):
        with create(f"e_{name}.h5") as file:
            data = np.array(strings, dtype=object)
            file.create_dataset("x", data=data, dtype=h5py.string_dtype("utf-8"), **options)


def f(_):
    strings = [word.encode("ascii", "replace")[:24] for word in words(500_000, 6)]
    with create("f_fixed.h5") as file:
        file.create_dataset("x", data=np.array(strings, dtype="S24"))


def g(_):
    count = 500_000
    random = np.random.default_rng(7)
    table = np.zeros(count, dtype=[("i", "<i4"), ("d", "<f8"), ("s", "S8"), ("b", "u1"), ("f", "<f4")])
    table["i"] = np.arange(count) // 3
    table["d"] = np.round(np.cumsum(random.normal(0, 1, count)), 3)
    table["s"] = np.array([b"id%05d" % k for k in random.integers(0, 5000, count)])
    table["b"] = random.integers(0, 7, count)
    table["f"] = np.round(random.random(count), 2)
    with create("g_compound.h5") as file:
        file.create_dataset("x", data=table, chunks=(4096,), compression="gzip", shuffle=True)


def h(_):
    for libver in FORMATS:
        with create(f"h_{libver}.h5", libver) as file:
            for i in range(10_000):
                d = file.create_group(f"g{i:05d}").create_dataset("d", data=np.arange(i, i + 8, dtype="f8"))
                d.attrs["n"] = np.int32(i)
                d.attrs["scale"] = np.float64(i * 0.5)
                d.attrs["unit"] = f"unit{i % 97}"


def i(manifest):
    count = 50_000
    with create("i_wide.h5", "latest") as file:
        targets = [file.create_dataset(f"t/d{k:02d}", data=np.float64(k)) for k in range(64)]
        group = file.create_group("w")
        for k in range(count):
            at = k * 7919 % count
            group[f"link_{at:06d}"] = targets[at % 64]
    manifest["lookups"] = [f"link_{k:06d}" for k in np.random.default_rng(9).integers(0, count, 1000)]


def j(_):
    with create("j_attrs.h5", "latest") as file:
        x = file.create_dataset("x", data=np.arange(4.0))
        for k in range(5000):
            x.attrs[f"attr_{k:05d}"] = np.float64(k) if k % 2 else f"value {k}"


def k(_):
    milliseconds = 1_600_000_000_000 + np.cumsum(np.random.default_rng(11).integers(1, 2000, 8_000_000)).astype("i8")
    with create("k_i64.h5") as file:
        filters = {"compression": "gzip", "compression_opts": 4, "shuffle": True}
        file.create_dataset("x", data=milliseconds, chunks=(65536,), **filters)


def l(_):
    random = np.random.default_rng(12)
    with create("l_so_int.h5") as file:
        values = (random.integers(0, 4000, 4_000_000) + 100000).astype("i4")
        file.create_dataset("x", data=values, chunks=(65536,), scaleoffset=0)
    with create("l_so_float.h5") as file:
        values = (random.random(4_000_000) * 50).astype("f4")
        file.create_dataset("x", data=values, chunks=(65536,), scaleoffset=3)


def m(_):
    with create("m_fletcher.h5") as file:
        values = np.random.default_rng(13).standard_normal(6_000_000)
        file.create_dataset("x", data=values, chunks=(32768,), fletcher32=True)


def n(_):
    with create("n_lzf.h5") as file:
        file.create_dataset("x", data=field(2896, 14), chunks=(181, 181), compression="lzf", shuffle=True)


def o(_):
    values = field(2896, 14)
    values = np.round((values - values.min()) * 64).astype("u2")
    with create("o_szip.h5") as file:
        file.create_dataset("x", data=values, chunks=(181, 181), compression="szip", compression_opts=("nn", 16))


def p(_):
    count = 100_000
    random = np.random.default_rng(16)
    lengths = random.integers(1, 40, count)
    rows = np.empty(count, dtype=object)
    for at, length in enumerate(lengths):
        rows[at] = random.integers(0, 1 << 30, length).astype("i4")
    with create("p_vlen.h5") as file:
        file.create_dataset("x", (count,), dtype=h5py.vlen_dtype("i4"))[...] = rows


def q(_):
    with create("q_be_f32.h5") as file:
        values = np.random.default_rng(17).standard_normal(2**24, dtype="f4")
        file.create_dataset("x", data=values.astype(">f4"), dtype=">f4")


def r(manifest):
    chunk = 100_000
    random = np.random.default_rng(18)
    stored = [int(at) for at in np.sort(random.choice(10_000, 100, replace=False))]
    missing = [int(at) for at in random.permutation(10_000) if at not in set(stored)][:100]
    for libver in FORMATS:
        random = np.random.default_rng(19)
        with create(f"r_{libver}.h5", libver) as file:
            options = {"chunks": (chunk,), "fillvalue": 7, "compression": "gzip", "compression_opts": 1, "shuffle": True}
            x = file.create_dataset("x", (1_000_000_000,), dtype="i2", **options)
            for at in stored:
                x[at * chunk : (at + 1) * chunk] = random.integers(0, 300, chunk).astype("i2")
    manifest["sparse"] = [[at * chunk + 12345, at * chunk + 13345] for at in stored + missing]


def s(manifest):
    rows, columns = 20_000, 25_000
    random = np.random.default_rng(20)
    counts = random.integers(50, 451, rows)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype("i8")
    total = int(indptr[-1])
    indices = np.empty(total, "i4")
    for row, count in enumerate(counts):
        drawn = np.minimum(random.random(count), random.random(count)) * columns
        indices[indptr[row] : indptr[row + 1]] = np.sort(drawn.astype("i4"))
    data = np.log1p(random.poisson(1.5, total) + 1).astype("f4")
    with create("s_anndata.h5") as file:
        x = file.create_group("X")
        x.attrs["encoding-type"] = "csr_matrix"
        x.attrs["encoding-version"] = "0.1.0"
        x.attrs["shape"] = np.array([rows, columns])
        for name, values in (("data", data), ("indices", indices), ("indptr", indptr)):
            x.create_dataset(name, data=values, chunks=True, compression="gzip")
    manifest["s_rows"] = [9000, 10000]
    manifest["s_nnz"] = total


def t(manifest):
    """24 datasets of 10 MiB in 6 groups, written step by step in turns, so that chunks and B-tree nodes interleave."""
    for name, libver, options in (
        ("earliest", "earliest", {}),
        ("paged", "latest", {"fs_strategy": "page", "fs_page_size": 2**20}),
    ):
        random = np.random.default_rng(21)
        with create(f"t_{name}.h5", libver, **options) as file:
            datasets = []
            for k in range(24):
                x = file.create_dataset(f"grp{k % 6}/var{k:02d}", (2560, 1024), dtype="f4", chunks=(64, 256))
                for at in range(5):
                    x.attrs[f"a{at}"] = f"attribute {at} of {k}"
                datasets.append(x)
            for row in range(0, 2560, 640):
                for x in datasets:
                    x[row : row + 640] = random.standard_normal((640, 1024), dtype="f4")
    manifest["t"] = {"dset": "grp5/var17", "rows": [1024, 1280]}


def main():
    os.makedirs(FOLDER, exist_ok=True)
    manifest = json.load(open(MANIFEST)) if os.path.exists(MANIFEST) else {}
    makers = {maker.__name__: maker for maker in (a, b, c, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t)}
    for name in sys.argv[1:] or makers:
        started = time.time()
        makers[name](manifest)
        print(f"{name}  {time.time() - started:.1f} s", flush=True)
    with open(MANIFEST, "w") as file:
        json.dump(manifest, file)


main()
