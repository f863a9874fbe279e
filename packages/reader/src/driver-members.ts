import {
  ByteReader,
  type ByteSource,
  type DriverInfo,
  InvalidFieldError,
  NotFoundError,
  readRange,
  type SliceOptions,
  UnsupportedFeatureError,
} from "@h5/framing";

/** One of the files that a driver has put a file into: the bytes `[start, end)` of its address space. */
interface Member {
  /** What it is asked for by: a family's by its index, another by its name, `%s` in place of the whole file's. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Whether others follow: what it is too short for is then zero. */
  readonly inside: boolean;
  /** Whether there need not be any, since the file has ended. */
  readonly beyond: boolean;
}

/** A file put together of its members. */
export interface MemberSpace {
  readonly source: ByteSource;
  /** Where addresses of the file that are beyond 2^53−1 are in the source. */
  readonly foldAddress: ((address: bigint) => number) | undefined;
  /** The members in the order of their addresses: of a family as many as the file's end needs. */
  members(): Iterable<MemberFile>;
}

/** A member, and what of the source is in it. */
export interface MemberFile {
  readonly name: string;
  /** Address of its first byte in the source. */
  readonly start: number;
  /** Where the bytes in use end that the file has in it. */
  readonly end: number;
  /** Its bytes; `null` where there is none. */
  open(options: SliceOptions): Promise<ByteSource | null>;
}

/** Finds a member that is not the one at hand; `null` where there is none. */
export type OpenMember = (name: string, options: SliceOptions) => Promise<ByteSource | null>;

/**
 * The address space of a file of the family or the multi driver (H5FDfamily.c, H5FDmulti.c; spec II.B), whose member at
 * hand is the one with the superblock. Members are opened when a byte of theirs is read; what a family's is too short
 * for is zero, as long as there are further ones.
 *
 * Slices throw NotFoundError for a missing member.
 *
 * @throws InvalidFieldError for driver information that makes no sense, UnsupportedFeatureError without `open` in `root`
 */
export function memberSpace(driver: DriverInfo, root: RootMember): MemberSpace {
  return driver.name === "NCSAfami" ? familySpace(driver, root) : multiSpace(multiPlaces(driver), root);
}

/** The member at hand, and the way to the others. */
export interface RootMember {
  readonly source: ByteSource;
  /** Of the superblock, from which addresses count. */
  readonly baseAddress: number;
  /** Where the file ends: beyond, a family needs no member. */
  readonly end: number;
  /** `undefined` where other files cannot be had. */
  readonly open: OpenMember | undefined;
}

function openerOf({ open }: RootMember, kind: string): OpenMember {
  if (open !== undefined) return open;
  throw new UnsupportedFeatureError(
    `file of the ${kind} driver, one of several that make it up, which needs a resolver`,
    { structure: "superblock" },
  );
}

function familySpace(driver: DriverInfo, root: RootMember): MemberSpace {
  const request = openerOf(root, "family");
  const memberAt = familyMembers(driver, root.end);
  const open: OpenPlaced<Member> = async ({ start, name }, options) =>
    start === 0 ? root.source : await request(name, options);
  return {
    source: joinedSource(memberAt, open),
    foldAddress: undefined,
    *members() {
      for (let member = memberAt(0); !member.beyond; member = memberAt(member.end)) {
        yield memberFile(member, Math.min(member.end, root.end), open);
      }
    },
  };
}

/** The address space of a file of the multi driver whose members begin where `places` says. */
export function multiSpace(places: readonly MultiPlace[], root: RootMember): MemberSpace {
  const request = openerOf(root, "multi");
  const members = placed(places);
  const open: OpenPlaced<MultiMember> = async ({ holdsSuperblock, name }, options) =>
    holdsSuperblock ? root.source : await request(name, options);
  const source = joinedSource((address) => members.find((member) => address < member.end)!, open);
  // Members begin at addresses of the file with its user block, which those in the file do not count in.
  const base = root.baseAddress;
  return {
    source,
    foldAddress: (address) => foldInto(members, address + BigInt(base)) - base,
    members: () => members.map((member) => memberFile(member, member.start + member.used, open)),
  };
}

function memberFile<M extends Member>(member: M, end: number, open: OpenPlaced<M>): MemberFile {
  return { name: member.name, start: member.start, end, open: (options) => open(member, options) };
}

/** A family's driver information is the size of a member. */
function familyMembers({ data }: DriverInfo, end: number): (address: number) => Member {
  const size = new ByteReader(data, "family driver information").u64("member size");
  if (size === 0) throw new InvalidFieldError("expected a member size above 0", { structure: "driver information" });
  return (address) => {
    const index = Math.floor(address / size);
    const start = index * size;
    return { name: String(index), start, end: start + size, inside: start + size < end, beyond: start >= end };
  };
}

/** A multi file's member as the driver has it. */
export interface MultiPlace {
  readonly name: string;
  /** First address in the file. */
  readonly address: bigint;
  /** Bytes in use in it. */
  readonly used: number;
  readonly holdsSuperblock: boolean;
}

type MultiMember = Member & MultiPlace;

/** What a member may hold (2^49 bytes), beyond which the next one's addresses begin where the file's own are not numbers. */
const MEMBER_ROOM = 562949953421312;
/** 2^52: addresses below are what they are; members from here on are moved down to here. */
const FIRST_FOLDED = 4503599627370496;

/**
 * A multi file's driver information (spec II.B "Multi Driver Information"):
 *
 *     6  for superblock, B-trees, raw data, global heaps, local heaps, object headers: the kind, from 1 on, in whose
 *        member it is, 0 for its own
 *     2  reserved
 *        for each member, in the order of their first kinds:
 *        8  first address
 *        8  bytes in use
 *        for each member:
 *        n  name with %s for that of the file, NUL, padded to a multiple of 8
 */
function multiPlaces({ data }: DriverInfo): MultiPlace[] {
  const reader = new ByteReader(data, "multi driver information");
  const kinds = Array.from(reader.take(6), (kind, i) => kind || i + 1);
  if (kinds.some((kind) => kind > 6)) reader.fail(`expected kinds up to 6, got ${kinds}`, 0);
  reader.skip(2);
  const distinct = [...new Set(kinds)];
  const places = distinct.map(() => ({ address: reader.bigU64(), used: Number(reader.bigU64()) }));
  const names = distinct.map(() => {
    const at = reader.offset;
    const name = reader.nulTerminated("member name");
    reader.align(8, at);
    return name;
  });
  return distinct.map((kind, i) => {
    return { name: names[i]!, ...places[i]!, holdsSuperblock: kind === kinds[0] };
  });
}

/**
 * Gives members places that are numbers, in the order of their addresses; the last has all that is beyond it.
 *
 * @throws UnsupportedFeatureError for a member at an address that is a number, where those that are none are put;
 *   InvalidFieldError where none begins at address 0
 */
function placed(places: readonly MultiPlace[]): MultiMember[] {
  const members = [...places].sort((a, b) => (a.address < b.address ? -1 : 1));
  const [first] = members;
  if (first!.address > 0n) {
    throw new InvalidFieldError(`expected a member from address 0 on, got the first from ${first!.address} on`, {
      structure: "multi driver",
    });
  }
  const starts = members.map(({ address }, i) =>
    address < BigInt(FIRST_FOLDED) ? Number(address) : FIRST_FOLDED + i * MEMBER_ROOM,
  );
  const astray = members.find(
    ({ address }) => address >= BigInt(FIRST_FOLDED) && Number.isSafeInteger(Number(address)),
  );
  if (astray !== undefined) {
    throw new UnsupportedFeatureError(`member ${JSON.stringify(astray.name)} from address ${astray.address} on`, {
      structure: "multi driver",
    });
  }
  return members.map((member, i) => ({
    ...member,
    start: starts[i]!,
    end: starts[i + 1] ?? Number.MAX_SAFE_INTEGER,
    inside: i + 1 < members.length,
    beyond: false,
  }));
}

function foldInto(members: readonly MultiMember[], address: bigint): number {
  const member = members.filter((candidate) => candidate.address <= address).at(-1);
  const folded = member && BigInt(member.start) + address - member.address;
  if (folded !== undefined && folded < BigInt(member!.end)) return Number(folded);
  throw new InvalidFieldError(`address ${address} is in no member of the file`, { structure: "multi driver" });
}

type OpenPlaced<M extends Member> = (member: M, options: SliceOptions) => Promise<ByteSource | null>;

/** Reads across members. */
function joinedSource<M extends Member>(memberAt: (address: number) => M, open: OpenPlaced<M>): ByteSource {
  return {
    async slice(start, end, options = {}) {
      const parts: Uint8Array[] = [];
      for (let at = start; at < end; ) {
        const member = memberAt(at);
        const source = await open(member, options);
        if (source === null && member.beyond) break;
        if (source === null) {
          throw new NotFoundError(`no member ${JSON.stringify(member.name)}, which the file consists of`);
        }
        const until = Math.min(end, member.end);
        const bytes = await readRange(source, { start: at - member.start, end: until - member.start }, options);
        parts.push(bytes);
        if (member.inside && bytes.length < until - at) parts.push(new Uint8Array(until - at - bytes.length));
        at = until;
      }
      return joined(parts);
    },
  };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
