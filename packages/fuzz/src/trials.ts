import { type H5Error, isH5Error } from "@h5/framing";

/** What is tried with a file. Typed errors, each of which says what is wrong with it, are collected; all else is thrown. */
export class Trials {
  readonly errors: H5Error[] = [];
  /** Things that gave values. */
  values = 0;

  async attempt<T>(work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isOfFile(error)) throw error;
      this.errors.push(error);
      return undefined;
    }
  }

  /** As {@link attempt}, for what is a value of the file. */
  async value<T>(work: () => Promise<T>): Promise<T | undefined> {
    const got = await this.attempt(async () => ({ value: await work() }));
    if (got !== undefined) this.values++;
    return got?.value;
  }
}

/** The errors that say what is wrong with a file; INVALID_ARGUMENT and SOURCE would blame another for it. */
function isOfFile(error: unknown): error is H5Error {
  return isH5Error(error) && error.code !== "INVALID_ARGUMENT" && error.code !== "SOURCE";
}
