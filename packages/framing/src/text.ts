import { InvalidArgumentError } from "./errors.ts";

/**
 * Names in a file are UTF-8 or ASCII by declaration and any bytes in practice. A byte that is not part of valid UTF-8
 * becomes the lone surrogate U+DC00+byte (as Python's `surrogateescape`), so that distinct names stay distinct and
 * encode back to their own bytes.
 */
export function decodeText(bytes: Uint8Array): string {
  const ascii = decodeAscii(bytes);
  if (ascii !== undefined) return ascii;
  return decodeUtf8(bytes) ?? decodeEscaped(bytes);
}

/** Strictly UTF-8, or `undefined` where it is not. A leading byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  const ascii = decodeAscii(bytes);
  if (ascii !== undefined) return ascii;
  try {
    // A TextDecoder refuses views of shared memory.
    const own = bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(own);
  } catch {
    return undefined;
  }
}

/** Short ASCII is most text in a file, and a TextDecoder costs more than it does; longer text is left to the decoder. */
function decodeAscii(bytes: Uint8Array): string | undefined {
  if (bytes.length > 256) return undefined;
  // An array, for the engine is slow to take arguments from a typed one.
  const codes: number[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i]!;
    if (code > 127) return undefined;
    codes.push(code);
  }
  return String.fromCharCode(...codes);
}

function decodeEscaped(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at]!);
    const code = codePoint(bytes, at, length);
    text += code === undefined ? String.fromCharCode(0xdc00 + bytes[at]!) : String.fromCodePoint(code);
    at += code === undefined ? 1 : length;
  }
  return text;
}

/** Length of the UTF-8 sequence that `first` begins, 0 where it begins none. */
function sequenceLength(first: number): number {
  return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/** The code point of the sequence at `at`; `undefined` for what UTF-8 forbids: cut, overlong, surrogate, above U+10FFFF. */
function codePoint(bytes: Uint8Array, at: number, length: number): number | undefined {
  if (length < 2) return length === 1 ? bytes[at] : undefined;
  let code = bytes[at]! & (0x7f >> length);
  for (let i = 1; i < length; i++) {
    const next = bytes[at + i] ?? 0;
    if ((next & 0xc0) !== 0x80) return undefined;
    code = (code << 6) | (next & 0x3f);
  }
  const least = length === 2 ? 0x80 : length === 3 ? 0x800 : 0x10000;
  const surrogate = code >= 0xd800 && code < 0xe000;
  return code < least || surrogate || code > 0x10ffff ? undefined : code;
}

/**
 * The bytes of a name, the inverse of {@link decodeText}.
 *
 * @throws InvalidArgumentError for a lone surrogate that stands for no byte: it has no UTF-8
 */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const ascii = encodeAscii(text);
  if (ascii !== undefined) return ascii;
  const encoder = new TextEncoder();
  // With the u flag a surrogate matches only where it is alone.
  if (!/[\ud800-\udfff]/u.test(text)) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00);
    else if (code >= 0xd800 && code <= 0xdfff)
      throw new InvalidArgumentError(`lone surrogate in ${JSON.stringify(text)}`);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

/**
 * Bytes {@link encodeText} makes of text.
 *
 * @throws InvalidArgumentError as that
 */
export function sizeOfText(text: string): number {
  if (text.length > 256) return encodeText(text).length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return encodeText(text).length;
  return text.length;
}

/** As {@link decodeAscii}: for short text an encoder costs more than it does. */
function encodeAscii(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > 256) return undefined;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return undefined;
    bytes[i] = code;
  }
  return bytes;
}
