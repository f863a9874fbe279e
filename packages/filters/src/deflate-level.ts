import { InvalidArgumentError } from "@h5/framing";

/** The level in the parameters of a deflate entry; throws `InvalidArgumentError` unless it is one, and alone. */
export function deflateLevel(params: readonly number[]): number {
  const [level] = params;
  if (params.length === 1 && Number.isInteger(level) && level! >= 0 && level! <= 9) return level!;
  throw new InvalidArgumentError(`deflate: expected one parameter, the level 0 to 9, got [${params}]`);
}
