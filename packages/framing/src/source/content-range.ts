/** What a `Content-Range` field says; members it leaves open (`*`) are `undefined`. */
export interface ContentRange {
  readonly start: number | undefined;
  /** One past the last byte, as in a `ByteRange`. */
  readonly end: number | undefined;
  /** Length of the whole. */
  readonly total: number | undefined;
}

/** Decodes the field (RFC 9110, section 14.4), or gives `undefined` where it is not of that form. */
export function decodeContentRange(field: string): ContentRange | undefined {
  const match = /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/i.exec(field.trim());
  if (match === null) return undefined;
  const [, first, last, total] = match;
  return {
    start: first === undefined ? undefined : Number(first),
    end: last === undefined ? undefined : Number(last) + 1,
    total: total === "*" ? undefined : Number(total),
  };
}
