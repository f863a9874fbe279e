import { InvalidArgumentError } from "@h5/framing";
import type { FileModel } from "../model/file.ts";
import { shown } from "../values/shown.ts";

/**
 * Refuses a value that is none of those an option has.
 *
 * @throws InvalidArgumentError
 */
export function checkChoice(option: string, value: string, choices: readonly string[]): void {
  if (choices.includes(value)) return;
  throw new InvalidArgumentError(`${option} ${shown(value)}, expected ${choices.map(shown).join(" or ")}`);
}

/**
 * Refuses what is no list of whole numbers from `least` on, `Infinity` among them where the option has it.
 *
 * @throws InvalidArgumentError
 */
export function checkNumbers(
  option: string,
  value: readonly number[],
  { least = 0, infinite = false }: { readonly least?: number; readonly infinite?: boolean } = {},
): void {
  const whole = (size: unknown): boolean =>
    (Number.isSafeInteger(size) && (size as number) >= least) || (infinite && size === Infinity);
  if (Array.isArray(value) && value.every(whole)) return;
  throw new InvalidArgumentError(`${option} ${shown(value)}, expected a list of whole numbers from ${least} on`);
}

/**
 * Refuses an option there is not: one left out by a slip of the pen would make another file without a word. `known` has
 * every option there is.
 *
 * @throws InvalidArgumentError
 */
export function checkOptions<T extends object>(options: T, known: Readonly<Record<keyof T, 0>>): void {
  const strange = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (strange === undefined) return;
  throw new InvalidArgumentError(`no option ${shown(strange)}, expected ${Object.keys(known).join(", ")}`);
}

/** Bytes of the largest message, whose size has 16 bits; old-style headers fill it up to a multiple of 8. */
export function largestMessage({ earliest }: Pick<FileModel, "earliest">): number {
  return earliest ? 65528 : 65535;
}

/**
 * Refuses what must be in an object header and is larger than a message of it.
 *
 * @throws InvalidArgumentError
 */
export function checkMessageSize(file: Pick<FileModel, "earliest">, what: string, size: number): void {
  const most = largestMessage(file);
  if (size > most) throw new InvalidArgumentError(`${what} of ${size} bytes, at most ${most} fit an object header`);
}

/**
 * Refuses what a file that HDF5 1.6 reads cannot hold.
 *
 * @throws InvalidArgumentError
 */
export function checkEarliest({ earliest }: Pick<FileModel, "earliest">, what: string | false | undefined): void {
  if (earliest && what) throw new InvalidArgumentError(`${what}, which compatibility "earliest" cannot hold`);
}
