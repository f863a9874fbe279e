import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Case } from "./cases.ts";

/**
 * A library and how it is asked, as it is written: `ours`, `h5wasm`, `jsfive`, `h5py`; with `+into` (the caller gives
 * the memory), `+sync` (from a source that reads at once), `+copy` (the writer copies what it is given) and `+huge` (memory in pages of 2 MiB) where that applies.
 */
export interface Peer {
  readonly name: string;
  readonly library: string;
  readonly variant: string;
  readonly huge: boolean;
}

export function peerOf(name: string): Peer {
  const [library, ...options] = name.split("+");
  const variant = options.find((option) => option !== "huge") ?? "";
  return { name, library: library!, variant, huge: options.includes("huge") };
}

/** The peers a case is run with, of those asked for. */
export function peersFor({ id, into }: Case, peers: readonly Peer[]): readonly Peer[] {
  return peers.filter(({ variant }) => {
    if (variant === "into") return into === true;
    return variant !== "copy" || id === "w_a";
  });
}

/** Debian's interpreter is where its python3-h5py is installed, which the first `python3` need not be. */
const PYTHONS = ["/usr/bin/python3", "python3"];

let python: string | null | undefined;

/** An interpreter that has h5py, `null` where there is none. */
export function pythonWithH5py(): string | null {
  python ??= PYTHONS.find((each) => spawnSync(each, ["-c", "import h5py"]).status === 0) ?? null;
  return python;
}

/** The versions compared with. */
export function h5pyVersion(): string {
  const say = "import h5py; print(h5py.__version__, 'over HDF5', h5py.version.hdf5_version)";
  return spawnSync(pythonWithH5py()!, ["-c", say], { encoding: "utf8" }).stdout.trim();
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** What runs a job of a peer; `built` is the folder of the bundles. */
export function commandOf({ library, huge }: Peer, built: string): Command {
  const env = huge ? { ...process.env, GLIBC_TUNABLES: "glibc.malloc.hugetlb=1" } : process.env;
  if (library === "h5py") {
    return { file: pythonWithH5py()!, args: [join(built, "..", "..", "src", "peers", "with_h5py.py")], env };
  }
  return { file: process.execPath, args: ["--expose-gc", join(built, "peers", `${library}.js`)], env };
}
