import type { Decoder } from "./filter.ts";
import { loadZstd } from "./zstd-frame.ts";

/**
 * Undoes the Zstandard filter, id 32015: one Zstandard frame (RFC 8878). The work is the package `fzstd`'s, loaded with
 * the first chunk that needs it; its checksum, where there is one, is not verified.
 *
 * @throws UnsupportedFeatureError where `fzstd` is not installed; InvalidFieldError for a corrupt or truncated frame, or
 * bytes after it; LimitExceededError where more than `maxBytes` come out or are needed as a window
 */
export const zstdDecoder: Decoder = {
  id: 32015,
  name: "zstd",
  async decode(bytes, _params, options) {
    return (await loadZstd(options))(bytes, options);
  },
};
