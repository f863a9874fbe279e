import type { Decoder } from "@h5/filters";
import {
  attempt,
  type BtreeK,
  checkLimit,
  type FileContext,
  type H5Error,
  isH5Error,
  LimitExceededError,
  need,
  type Plan,
  type Superblock,
  type SymbolTable,
  type SymbolTableEntry,
} from "@h5/framing";
import type { GlobalHeapCollection, SharedMessageIndex } from "@h5/heap";
import type { ExternalRequest } from "@h5/reader";
import { type Finding, findingOf } from "./finding.ts";
import type { SpaceMap } from "./space-map.ts";

/** An object or a reference to one that is yet to be looked at. */
export interface Lead {
  readonly address: number;
  readonly path: string;
}

/** What a reference leads to; `path` is that of the object that has it. */
interface Reference extends Lead {
  /** Address of the elements that it is among. */
  readonly at: number | undefined;
  /** Whether it may never have been written. */
  readonly unset: boolean | undefined;
}

/** What leads to another file. */
export interface FileUse {
  readonly address: number | undefined;
  readonly path: string;
  readonly kind: ExternalRequest["kind"];
  /** Its name as it is stored; "." for the file itself. */
  readonly file: string;
  /** Path of an object that must be in it. */
  readonly object?: string | undefined;
  /** Structure that has the name, at `address`. */
  readonly structure: string;
}

/** All that one check of a file knows. */
export interface Check extends FileContext {
  readonly superblock: Superblock;
  readonly filters: readonly Decoder[];
  /** Whether raw data is read too. */
  readonly data: boolean;
  readonly space: SpaceMap;
  readonly findings: Finding[];
  /** Half the entries of nodes of version 1 trees; set once the superblock extension is read. */
  k: BtreeK;
  /** Indexes of the shared message table, which the extension names. */
  sharedIndexes: readonly SharedMessageIndex[];
  /** Uses of each shared message, by its heap id. */
  readonly sharedUses: Map<string, number>;
  /** Object headers to be checked. */
  readonly queue: Lead[];
  /** Hard links, and uses of a named datatype, by the address of the header they lead to. */
  readonly links: Map<number, number>;
  /** Symbol tables of groups, by the address of their headers. */
  readonly symbolTables: Map<number, SymbolTable>;
  /** What entries of symbol tables cache of such: `at` is the address of the node that the entry is in. */
  readonly cachedTables: (SymbolTableEntry & { readonly at: number; readonly path: string })[];
  /** Other files that something leads to. */
  readonly otherFiles: FileUse[];
  /** What references lead to, and where they are. */
  readonly references: Reference[];
  /** Global heap collections that were read; `undefined` for one that could not be. */
  readonly collections: Map<number, GlobalHeapCollection | undefined>;
  /** Indexes of the objects in each that something leads to. */
  readonly heapUses: Map<number, Set<number>>;
  /** Whether there are elements that were not read and keep something in the global heap. */
  heapDataSkipped: boolean;
  /** Bytes of metadata that may yet be read. */
  budget: number;
}

/** Reports an error of the file. */
export function fault(check: Check, finding: Omit<Finding, "severity">): void {
  check.findings.push({ severity: "error", ...finding });
}

/** Reports what keeps nothing from being read. */
export function warn(check: Check, finding: Omit<Finding, "severity">): void {
  check.findings.push({ severity: "warning", ...finding });
}

/** The value of a plan; `undefined` where it fails, which is then reported. The check as a whole goes on. */
export function* guard<T>(check: Check, path: string | undefined, plan: Plan<T>): Plan<T | undefined> {
  const { value, error } = yield* attempt(plan);
  if (error !== undefined) reportError(check, path, error);
  return value;
}

/** As {@link guard}, for what needs no bytes. */
export function guardNow<T>(check: Check, path: string | undefined, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isH5Error(error)) throw error;
    reportError(check, path, error);
    return undefined;
  }
}

/** Reports what an error tells, but for one that ends the check. */
export function reportError(check: Check, path: string | undefined, error: H5Error): void {
  if (check.budget < 0) throw error;
  const finding = findingOf(error, path);
  const same = ({ structure, address, message }: Finding): boolean =>
    structure === finding.structure && address === finding.address && message === finding.message;
  // Many things may need the one that is broken.
  if (!check.findings.slice(-16).some(same)) check.findings.push(finding);
}

/**
 * All bytes of a piece of metadata. Structures that lie over each other could make a small file one of endless work, so
 * that there is a bound to how much is read in all, which ends the check.
 *
 * @throws LimitExceededError, UnexpectedEofError
 */
export function* read(
  check: Check,
  structure: string,
  address: number,
  size: number,
  min: number = size,
): Plan<Uint8Array> {
  checkLimit(check.limits, "metadataBytes", size, { structure, address });
  const bytes = yield* need(structure, address, size, min);
  spend(check, bytes.length, structure, address);
  return bytes;
}

/** Counts bytes that are read by others. */
export function spend(check: Check, bytes: number, structure: string, address: number): void {
  check.budget -= bytes;
  if (check.budget >= 0) return;
  throw new LimitExceededError("metadataBytes", 0, "more than the file can hold", { structure, address });
}
