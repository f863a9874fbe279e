declare module "jsfive" {
  export class Dataset {
    readonly value: unknown;
    readonly shape: readonly number[];
    readonly attrs: Readonly<Record<string, unknown>>;
  }
  export class Group {
    readonly keys: readonly string[];
    get(path: string): Group | Dataset;
  }
  export class File extends Group {
    constructor(bytes: ArrayBuffer, name: string);
  }
}
