import type { Finding } from "./finding.ts";
import type { Region } from "./parts.ts";

/** The bytes `[start, end)`, which a structure says are its own. */
export interface Claim {
  readonly structure: string;
  readonly start: number;
  readonly end: number;
  /** Path of the object that the structure belongs to. */
  readonly path: string | undefined;
}

/** Fewer bytes between structures are not lost: they round the one before up to a multiple of 8. */
const PADDING = 8;

/**
 * What each structure of a file says its bytes are. No two may share one, none may be beyond the file's end, and what
 * none says is its own is lost.
 */
export class SpaceMap {
  readonly #claims: Claim[] = [];
  readonly #known: Map<number, Set<string>> = new Map();

  /**
   * Notes that `size` bytes at `address` are a structure's.
   *
   * @returns false where the same kind of structure is there already, so that a walk must not enter it again
   */
  claim(structure: string, address: number, size: number, path: string | undefined): boolean {
    if (size <= 0) return true;
    this.#claims.push({ structure, start: address, end: address + size, path });
    const kinds = this.#known.get(address);
    if (kinds?.has(structure)) return false;
    if (kinds === undefined) this.#known.set(address, new Set([structure]));
    else kinds.add(structure);
    return true;
  }

  /** Whether a structure of this kind is at `address`. */
  has(structure: string, address: number): boolean {
    return this.#known.get(address)?.has(structure) === true;
  }

  /** Structures that share bytes with others, and those that end beyond the region that they begin in. */
  *conflicts(regions: readonly Region[]): Generator<Finding> {
    let last: Claim | undefined;
    let at = 0;
    for (const claim of this.#inOrder()) {
      if (last !== undefined && claim.start < last.end) yield conflict(claim, `overlaps ${describe(last)}`);
      while (at + 1 < regions.length && regions[at + 1]!.start <= claim.start) at++;
      const { end, owner } = regions[at]!;
      if (claim.end > end) yield conflict(claim, `ends at ${claim.end}, beyond the end of the ${owner} at ${end}`);
      if (last === undefined || claim.end > last.end) last = claim;
    }
  }

  /** The bytes of the regions that nothing claims, without those that only round a structure up. */
  *gaps(regions: readonly Region[]): Generator<{ readonly start: number; readonly end: number }> {
    const claims = this.#inOrder();
    let next = 0;
    for (const { start, end } of regions) {
      let at = start;
      for (; next < claims.length && claims[next]!.start < end; next++) {
        const claim = claims[next]!;
        if (claim.start - at >= PADDING) yield { start: at, end: claim.start };
        at = Math.max(at, claim.end);
      }
      if (end - at >= PADDING) yield { start: at, end };
    }
  }

  #inOrder(): Claim[] {
    return this.#claims.sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

function conflict({ structure, start, path }: Claim, message: string): Finding {
  return { severity: "error", structure, address: start, path, message };
}

function describe({ structure, start, end, path }: Claim): string {
  return `the ${structure} at [${start}, ${end})${path === undefined ? "" : ` of ${path}`}`;
}
