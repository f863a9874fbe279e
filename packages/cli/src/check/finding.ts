import type { H5Error } from "@h5/framing";

/** What is wrong with a file, and where. */
export interface Finding {
  /** `warning` for what keeps nothing from being read: space that is lost, counts that nothing depends on. */
  readonly severity: "error" | "warning";
  /** The structure in the specification's words, as in `H5Error.structure`. */
  readonly structure: string;
  /** Of the structure or of a field in it; `undefined` where what is wrong has no place of its own. */
  readonly address: number | undefined;
  /** A path of the object that the structure belongs to. */
  readonly path?: string | undefined;
  readonly message: string;
}

/** The finding that an error stands for: a decoder that is not at hand is no fault of the file. */
export function findingOf(error: H5Error, path: string | undefined): Finding {
  const structure = error.structure ?? "file";
  const severity = error.code === "MISSING_FILTER" ? "warning" : "error";
  return {
    severity,
    structure,
    address: error.address,
    path: error.path ?? path,
    message: bareMessage(error),
  };
}

/** The message of an error without the place that a finding has in members of its own. */
function bareMessage({ message, structure, address, path }: H5Error): string {
  const head = (path === undefined ? "" : `${path}: `) + (structure === undefined ? "" : `${structure}: `);
  const tail = address === undefined ? "" : ` (at address ${address})`;
  return message.slice(
    message.startsWith(head) ? head.length : 0,
    message.endsWith(tail) ? -tail.length || undefined : undefined,
  );
}
