"""h5py's side of the benches: src/peers/measure.ts says what is asked and answered."""
import gc
import hashlib
import json
import os
import re
import resource
import sys
import time

import h5py
import numpy as np

ORDER = json.loads(sys.argv[1])
MANIFEST = json.load(open(os.path.join(ORDER["data"], "manifest.json")))
GROUPS = 10_000
APPENDS = 1000
MOST_SECONDS = 5


def path(name):
    return os.path.join(ORDER["data"], name)


def reading(name, work):
    def run():
        with h5py.File(path(name), "r") as file:
            return work(file)

    return lambda: run


def whole(name):
    return reading(name, lambda file: [file["x"][...]])


def strings(name):
    return reading(name, lambda file: [file["x"].asstr()[...]])


def windows(name):
    def work(file):
        x = file["x"]
        return [x[r : r + 64, c : c + 64] for r, c in MANIFEST["windows"]]

    return reading(name, work)


def compound(file):
    table = file["x"][...]
    return [np.ascontiguousarray(table[name]) for name in "idbfs"]


def walk(name, values):
    def work(file):
        numbers, units = [], []
        for group in file.values():
            d = group["d"]
            attrs = d.attrs
            numbers += [d.shape[0], attrs["n"], attrs["scale"]]
            units.append(attrs["unit"])
            if values:
                numbers += d[...].tolist()
        return [np.array(numbers, "f8"), units]

    return reading(name, work)


def look_up(file):
    w = file["w"]
    return [np.array([w[name][()] for name in MANIFEST["lookups"]], "f8")]


def attributes(file):
    attrs = file["x"].attrs
    found = {name: attrs[name] for name in attrs}
    numbers = [value for value in found.values() if not isinstance(value, str)]
    return [list(found), np.array(numbers, "f8"), [value for value in found.values() if isinstance(value, str)]]


def ragged(file):
    rows = file["x"][...]
    return lambda: [np.array([len(row) for row in rows], "f8"), *rows]


def sparse(name):
    def work(file):
        x = file["x"]
        return [x[start:end] for start, end in MANIFEST["sparse"]]

    return reading(name, work)


def matrix_rows(file):
    start, end = MANIFEST["s_rows"]
    pointers = file["X/indptr"][start : end + 1]
    first, last = int(pointers[0]), int(pointers[-1])
    return [pointers, file["X/data"][first:last], file["X/indices"][first:last]]


def matrix(file):
    return [file["X"][name][...] for name in ("data", "indices", "indptr")]


def rows(name):
    def work(file):
        start, end = MANIFEST["t"]["rows"]
        return [file[MANIFEST["t"]["dset"]][start:end]]

    return reading(name, work)


def writing(make, work):
    def job():
        data = make()

        def run():
            with h5py.File(ORDER["out"], "w") as file:
                work(file, data)
            return []

        return run

    return job


def normals():
    return np.fromfile(path("a_contiguous_f64.h5"), "f8", 2**24, offset=MANIFEST["a_offset"])


def field():
    return np.fromfile(path("b_f32.raw"), "f4").reshape(4096, 4096)


def write_strings(file, data):
    file.create_dataset("x", data=data, dtype=h5py.string_dtype("utf-8"))


def write_groups(file, _):
    for i in range(GROUPS):
        d = file.create_group(f"g{i:05d}").create_dataset("d", data=np.arange(i, i + 8, dtype="f8"))
        d.attrs["n"] = np.int32(i)
        d.attrs["scale"] = np.float64(i * 0.5)
        d.attrs["unit"] = f"unit{i % 97}"


def append(file, blocks):
    x = file.create_dataset("x", (0,), maxshape=(None,), chunks=(4096,), dtype="f8")
    for k, block in enumerate(blocks):
        x.resize(((k + 1) * 1000,))
        x[k * 1000 : (k + 1) * 1000] = block


def chunked(**filters):
    return lambda file, data: file.create_dataset("x", data=data, chunks=(256, 256), **filters)


JOBS = {
    "a": whole("a_contiguous_f64.h5"),
    "b_earliest": whole("b_earliest.h5"),
    "b_latest": whole("b_latest.h5"),
    "c_earliest": whole("c_earliest.h5"),
    "c_latest": whole("c_latest.h5"),
    "d_earliest": windows("b_earliest.h5"),
    "d_latest": windows("b_latest.h5"),
    "e_contig": strings("e_contig.h5"),
    "e_chunk": strings("e_chunk.h5"),
    "f": strings("f_fixed.h5"),
    "g": reading("g_compound.h5", compound),
    "h_earliest": walk("h_earliest.h5", False),
    "h_latest": walk("h_latest.h5", False),
    "hd_earliest": walk("h_earliest.h5", True),
    "hd_latest": walk("h_latest.h5", True),
    "i_list": reading("i_wide.h5", lambda file: [list(file["w"])]),
    "i_lookup": reading("i_wide.h5", look_up),
    "j": reading("j_attrs.h5", attributes),
    "k": whole("k_i64.h5"),
    "l_int": whole("l_so_int.h5"),
    "l_float": whole("l_so_float.h5"),
    "m": whole("m_fletcher.h5"),
    "n": whole("n_lzf.h5"),
    "o": whole("o_szip.h5"),
    "p": reading("p_vlen.h5", ragged),
    "q": reading("q_be_f32.h5", lambda file: [file["x"].astype("<f4")[...]]),
    "r_earliest": sparse("r_earliest.h5"),
    "r_latest": sparse("r_latest.h5"),
    "s_slice": reading("s_anndata.h5", matrix_rows),
    "s_full": reading("s_anndata.h5", matrix),
    "t_earliest": rows("t_earliest.h5"),
    "t_paged": rows("t_paged.h5"),
    "t_open": reading("t_earliest.h5", lambda file: [list(file)]),
    "w_a": writing(normals, lambda file, data: file.create_dataset("x", data=data)),
    "w_b": writing(field, chunked(compression="gzip", compression_opts=6, shuffle=True)),
    "w_bd": writing(field, chunked(compression="gzip", compression_opts=6)),
    "w_h": writing(lambda: None, write_groups),
    "w_e": writing(
        lambda: np.array(open(path("e_strings.txt"), encoding="utf8").read().split("\n"), dtype=object), write_strings
    ),
    "w_append": writing(
        lambda: [k * 1000 + np.arange(1000, dtype="f8") / 8 for k in range(APPENDS)], append
    ),
    # What a writing job made, whoever did it.
    "check w_a": whole(ORDER["out"]),
    "check w_b": whole(ORDER["out"]),
    "check w_bd": whole(ORDER["out"]),
    "check w_h": walk(ORDER["out"], True),
    "check w_e": strings(ORDER["out"]),
    "check w_append": whole(ORDER["out"]),
}


def timed(run):
    start = time.perf_counter()
    found = run()
    return (time.perf_counter() - start) * 1000, found


def clear():
    if ORDER["job"].startswith("w_") and os.path.exists(ORDER["out"]):
        os.remove(ORDER["out"])


def reset_peak():
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass


def resident(name):
    try:
        return int(re.search(name + r":\s*(\d+)", open("/proc/self/status").read()).group(1)) * 1024
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def digest_of(parts):
    found = hashlib.sha1()
    for part in parts:
        if isinstance(part, np.ndarray) and part.dtype.kind == "S":
            part = [value.decode() for value in part.tolist()]
        numbers = isinstance(part, np.ndarray) and part.dtype.kind != "O"
        found.update(np.ascontiguousarray(part).tobytes() if numbers else "\n".join(part).encode())
    return found.hexdigest()


def measure():
    if ORDER["job"] not in JOBS:
        raise SystemExit("has no such job")
    run = JOBS[ORDER["job"]]()
    clear()
    gc.collect()
    reset_peak()
    before = resident("VmRSS")
    cold, found = timed(run)
    peak = resident("VmHWM") - before
    digest = digest_of(found() if callable(found) else found)
    warm, cpu, spent = [], [], 0
    while len(warm) < ORDER["warm"] and spent < MOST_SECONDS * 1000:
        found = None
        clear()
        started = time.process_time()
        milliseconds, found = timed(run)
        cpu.append((time.process_time() - started) * 1000)
        warm.append(milliseconds)
        spent += milliseconds
    print(json.dumps({"cold": cold, "warm": warm, "cpu": cpu, "peak": peak, "digest": digest}))


measure()
