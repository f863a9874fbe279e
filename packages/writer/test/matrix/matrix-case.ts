import { type CreateOptions, createFile, type FileBuilder } from "../../src/index.ts";
import { documentedObject, type ExpectedObject, type Json } from "./expected.ts";

/** The ways of writing a file that a case is written in. */
export type Style = keyof typeof styles;

export const styles: {
  readonly plain: CreateOptions;
  readonly earliest: CreateOptions;
  /** All that is optional at once. */
  readonly shared: CreateOptions;
  readonly v200: CreateOptions;
} = {
  plain: {},
  earliest: { compatibility: "earliest" },
  shared: { sharedMessages: { minSize: 10 }, trackOrder: true, userblock: 1024 },
  v200: { libver: "v200" },
};

/** Says what a reader must find at a path of the file. */
export type Expect = (path: string, object: ExpectedObject) => void;

/** What a case may need beyond its file. */
export interface CaseContext {
  readonly style: Style;
  /** Puts a file beside the one that is written. */
  beside(name: string, bytes: Uint8Array): void;
}

/** Puts things into a file and says what a reader must find there. */
export type Build = (file: FileBuilder, expect: Expect, context: CaseContext) => void;

export interface MatrixCase {
  readonly build: Build;
  /** Default: plain, earliest, shared. */
  readonly styles?: readonly Style[];
  /** Options on top of the style's. */
  readonly options?: CreateOptions;
  /** Takes seconds, so that it is not part of the unit tests. */
  readonly slow?: boolean;
  /** Has more in it than a JSON document should hold. */
  readonly large?: boolean;
  /** h5wasm cannot tell anything of it. */
  readonly untold?: boolean;
}

/** Cases by name. */
export type MatrixCases = Readonly<Record<string, Build | MatrixCase>>;

export interface MatrixFile {
  /** `style/group/case`. */
  readonly name: string;
  readonly style: Style;
  readonly slow: boolean;
  readonly large: boolean;
  readonly untold: boolean;
  write(): Promise<WrittenFile>;
}

export interface WrittenFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What a reader must find, by path. */
  readonly expected: Readonly<Record<string, Json>>;
  /** Files to be put beside it. */
  readonly beside: ReadonlyMap<string, Uint8Array>;
}

/** Every case of a group in each of its styles. */
export function filesOf(group: string, cases: MatrixCases): MatrixFile[] {
  return Object.entries(cases).flatMap(([name, one]) => {
    const {
      build,
      styles: chosen = ["plain", "earliest", "shared"],
      options,
      slow = false,
      large = slow,
      untold = false,
    }: MatrixCase = typeof one === "function" ? { build: one } : one;
    return chosen.map((style) => ({
      name: `${style}/${group}/${name}`,
      style,
      slow,
      large,
      untold,
      async write() {
        const expected: Record<string, Json> = {};
        const file = createFile({ ...styles[style], ...options });
        const expect: Expect = (path, object) => {
          expected[path] = documentedObject(inStyle(object, style));
        };
        const beside = new Map<string, Uint8Array>();
        build(file, expect, { style, beside: (side, bytes) => beside.set(side, bytes) });
        return { bytes: await file.encode(), expected, beside };
      },
    }));
  });
}

/** Old files know but one index of chunks and one form of a group. */
function inStyle(object: ExpectedObject, style: Style): ExpectedObject {
  if (style !== "earliest") return object;
  const { attr_storage: _, ...rest } = object;
  return {
    ...rest,
    ...(rest.chunk_index && { chunk_index: "btree1" }),
    ...(rest.group_storage && { group_storage: "symtab" }),
  };
}
