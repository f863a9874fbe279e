#!/usr/bin/env python3
"""Checks the matrix that main.ts writes with h5py, which is real libhdf5.

  libhdf5.py read FOLDER       what <name>.declared.json says is what libhdf5 reads: <name>.json, which expected.py makes,
                               and the facts that only the library's own functions tell; h5stat finds no overlap
  libhdf5.py modify FOLDER OUT  copies each file to OUT, opens it r+, adds links, attributes and chunks, takes some away,
                               and reads the result

Needs h5py and hdf5-tools. Prints what fails; the last line is JSON with the numbers of files that pass and fail.
"""
import json
import os
import shutil
import subprocess
import sys

# Files of raw data lie beside the file; the library asks when it is loaded.
os.environ["HDF5_EXTFILE_PREFIX"] = "${ORIGIN}"
import numpy as np
import h5py
from h5py import h5a, h5d, h5ds, h5o, h5t

ALLOCATION = {1: "early", 2: "late", 3: "incremental"}
FILL_TIME = {0: "allocation", 1: "never", 2: "ifset"}
# Bytes of a list of 50 shared messages.
EMPTY_LIST = 858
# Told by later releases only.
UNTOLD = {"attr_storage", "facts"}


def names(folder):
    for base, _, files in sorted(os.walk(folder)):
        for file in sorted(files):
            if file.endswith(".declared.json"):
                yield os.path.relpath(os.path.join(base, file[: -len(".declared.json")]), folder)


def differences(expected, actual, at=""):
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        return [d for i, one in enumerate(expected) for d in differences(one, actual[i], f"{at}[{i}]")][:5]
    if isinstance(expected, dict) and isinstance(actual, dict):
        keys = [key for key in expected if key not in UNTOLD or key in actual]
        return [d for key in keys for d in differences(expected[key], actual.get(key), f"{at}/{key}")]
    if type(expected) is not bool and expected == actual or expected is actual:
        return []
    return [f"{at}: expected {json.dumps(expected)[:160]}, got {json.dumps(actual)[:160]}"]


def plain(value):
    """A fill value as JSON."""
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if hasattr(value, "item") else value


def fill_of(dataset):
    state = dataset.id.get_create_plist().fill_value_defined()
    return None if state == h5d.FILL_VALUE_UNDEFINED else plain(dataset.fillvalue)


def masks_of(dataset):
    chunks = [dataset.id.get_chunk_info(i) for i in range(dataset.id.get_num_chunks())]
    return {",".join(map(str, c.chunk_offset)): c.filter_mask for c in chunks if c.filter_mask}


def attribute_order(object):
    found = []
    h5a.iterate(object.id, lambda name: found.append(name.decode()) and None, index_type=h5py.h5.INDEX_CRT_ORDER)
    return found


FACTS = {
    "fill": fill_of,
    "allocation_time": lambda dataset: ALLOCATION[dataset.id.get_create_plist().get_alloc_time()],
    "fill_time": lambda dataset: FILL_TIME[dataset.id.get_create_plist().get_fill_time()],
    "stored_chunks": lambda dataset: dataset.id.get_num_chunks(),
    "masks": masks_of,
    "comment": lambda object: object.file["/"].id.get_comment(object.name.encode()).decode(),
    "link_count": lambda object: h5o.get_info(object.id).rc,
    "attribute_order": attribute_order,
    "link_names": len,
    "scales": lambda dataset: [[scale.name for scale in dimension.values()] for dimension in dataset.dims],
    "labels": lambda dataset: [dimension.label for dimension in dataset.dims],
    "scale_name": lambda dataset: h5ds.get_scale_name(dataset.id).decode(),
}


def read_facts(path, declared):
    with h5py.File(path, "r") as file:
        for at, expected in declared.items():
            for fact, value in expected.get("facts", {}).items():
                yield from differences(value, FACTS[fact](file[at]), f"{at} {fact}")


def unaccounted(path):
    """Bytes of the file that h5stat finds no use for; it counts an overlap as less than none."""
    out = subprocess.run(["h5stat", "-S", path], capture_output=True, text=True)
    lines = [line for line in out.stdout.splitlines() if "naccounted" in line or "???" in line]
    if out.returncode != 0 or not lines:
        yield f"h5stat: {out.stderr.strip()[-200:] or 'failed'}"
    for line in lines:
        if "???" in line:
            # The list of an empty index of shared messages, which is not there, is counted.
            if "/shared/" in path and int(line.split("File has")[1].split()[0]) <= EMPTY_LIST:
                continue
            yield f"h5stat: {line.strip()}"
            continue
        size = int(line.split(":")[1].split()[0])
        if size < 0 or size >= 2**63:
            yield f"h5stat: {line.strip()}"


def check_reading(folder, name):
    path = os.path.join(folder, name + ".h5")
    with open(os.path.join(folder, name + ".declared.json")) as file:
        declared = json.load(file)
    reading = os.path.join(folder, name + ".json")
    if os.path.exists(reading):
        with open(reading) as file:
            found = json.load(file)
        for key in ("open_error", "root_error", "crash"):
            if key in found:
                yield f"{key}: {found[key]}"
        yield from differences(declared, found.get("objects", {}))
    yield from read_facts(path, declared)
    yield from unaccounted(path)


def is_number(dataset):
    """Whether numpy has the type of the elements."""
    type = dataset.id.get_type()
    return type.get_class() in (h5t.INTEGER, h5t.FLOAT) and type.get_size() in (1, 2, 4, 8)


def grown(dataset):
    """Adds a chunk of ones, or writes some into an existing one; what the dataset must hold then, or None."""
    # Scale-offset with fixed bits rounds what does not fit them.
    if not is_number(dataset) or dataset.shape is None or dataset.size > 200000 or dataset.scaleoffset:
        return None
    before = dataset[()]
    axes = [d for d, size in enumerate(dataset.maxshape) if size is None or size > dataset.shape[d]]
    if dataset.chunks and axes:
        axis = axes[0]
        room = dataset.maxshape[axis] or sys.maxsize
        shape = list(dataset.shape)
        shape[axis] = min(room, shape[axis] + dataset.chunks[axis])
        after = np.full(shape, dataset.fillvalue, dataset.dtype)
        after[tuple(slice(0, size) for size in before.shape)] = before
        new = tuple(slice(before.shape[d], None) if d == axis else slice(None) for d in range(len(shape)))
        dataset.resize(shape)
    elif dataset.size:
        after = np.array(before)
        new = () if dataset.shape == () else (0,) * len(dataset.shape)
    else:
        return None
    dataset[new] = 1
    after[new] = 1
    return after


def modify_group(group):
    """Adds links; takes one of many away. What there must be then."""
    links = set(group)
    if len(links) > 8:
        gone = sorted(links)[len(links) // 2]
        del group[gone]
        links.remove(gone)
    for i in range(10):
        group[f"added {i}"] = h5py.SoftLink("/")
        links.add(f"added {i}")
    return links


def modify_attributes(object):
    attributes = set(object.attrs)
    if len(attributes) > 8:
        gone = sorted(attributes)[len(attributes) // 2]
        del object.attrs[gone]
        attributes.remove(gone)
    for i in range(3):
        object.attrs[f"added {i}"] = np.arange(i + 1)
        attributes.add(f"added {i}")
    return attributes


GROUPS = 6
DATASETS = 60


def modified_objects(declared, file):
    groups, datasets = ["/"], []
    for at in declared:
        kinds = groups if isinstance(file.get(at), h5py.Group) else datasets
        if at not in kinds and len(kinds) < (GROUPS if kinds is groups else DATASETS):
            kinds.append(at)
    return groups, datasets


def check_modifying(folder, name, out):
    path = os.path.join(out, name + ".h5")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for side in os.listdir(os.path.dirname(os.path.join(folder, name))):
        if side.endswith(".raw"):
            shutil.copy(os.path.join(folder, os.path.dirname(name), side), os.path.dirname(path))
    shutil.copy(os.path.join(folder, name + ".h5"), path)
    with open(os.path.join(folder, name + ".declared.json")) as file:
        declared = json.load(file)
    with h5py.File(path, "r+") as file:
        groups, datasets = modified_objects(declared, file)
        objects = {at: file[at] for at in dict.fromkeys(groups + datasets)}
        contents = {at: grown(objects[at]) for at in datasets if isinstance(objects[at], h5py.Dataset)}
        attributes = {at: modify_attributes(object) for at, object in objects.items()}
        links = {at: modify_group(objects[at]) for at in groups}
    with h5py.File(path, "r") as file:
        for at, expected in links.items():
            if at in file and set(file[at]) != expected:
                yield f"{at}: other links than expected"
        for at, expected in attributes.items():
            if at in file and set(file[at].attrs) != expected:
                yield f"{at}: other attributes than expected"
            if at in file and list(file[at].attrs["added 2"]) != [0, 1, 2]:
                yield f"{at}: another value of an added attribute"
        for at, expected in contents.items():
            if at in file and expected is not None and not np.array_equal(file[at][()], expected, equal_nan=True):
                yield f"{at}: other elements than expected"
    yield from unaccounted(path)


def main():
    command, folder = sys.argv[1:3]
    passed = failed = 0
    for name in names(folder):
        # What only HDF5 2.0 reads.
        if "v200" in name.split("/"):
            continue
        try:
            if command == "read":
                found = list(check_reading(folder, name))
            else:
                found = list(check_modifying(folder, name, sys.argv[3]))
        except Exception as error:
            found = [f"{type(error).__name__}: {error}"]
        passed, failed = passed + (not found), failed + bool(found)
        for line in found[:5]:
            print(f"{command} {name}: {line}", flush=True)
    print(json.dumps({"numPassedTests": passed, "numFailedTests": failed}))
    return 1 if failed else 0


sys.exit(main())
