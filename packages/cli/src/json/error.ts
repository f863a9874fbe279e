import { isH5Error } from "@h5/framing";

export interface JsonError {
  readonly code: string;
  readonly message: string;
}

/** The JSON form of an error the reader throws on purpose; any other is a fault of ours and is thrown on. */
export function jsonError(error: unknown): JsonError {
  if (!isH5Error(error)) throw error;
  return { code: error.code, message: error.message };
}
