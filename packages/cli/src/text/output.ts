import { isH5Error } from "@h5/framing";
import { createColors } from "picocolors";

/** Where text goes, and what the place can show. */
export interface Output {
  line(text: string): void;
  /** Characters in a line. */
  readonly width: number;
  readonly colors: ReturnType<typeof createColors>;
  /** Words for what an error kept from being read; throws what is no error about the file. */
  unreadable(error: unknown): string;
  /** How often `unreadable` was called. */
  readonly failures: number;
}

/** A stream of text, such as a process's standard output. */
export interface Writable {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Environment variables, of which `NO_COLOR` and a `TERM` of `dumb` ask for no colours. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Output in lines to a stream, in colours if it is a terminal and the environment does not mind. */
export function outputTo(stream: Writable, environment: Environment = {}): Output {
  const coloured = stream.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  const colors = createColors(coloured);
  let failures = 0;
  return {
    line: (text) => stream.write(`${printable(text, coloured)}\n`),
    width: stream.columns ?? 80,
    colors,
    unreadable(error) {
      if (!isH5Error(error)) throw error;
      failures++;
      return `${colors.red("unreadable")} ${error.message}`;
    },
    get failures(): number {
      return failures;
    },
  };
}

/** The colours this program uses, and their ends: none of them hides text. */
const OWN_COLOR = /^\[(1|2|22|31|36|39)m$/;

/** Names and text of a file may hold control characters, which must not reach a terminal; the program's colours may. */
export function printable(text: string, coloured: boolean = false): string {
  return text.replaceAll(/\p{Cc}(\[\d+m)?/gu, (found: string, color: string = "") => {
    if (coloured && found.startsWith("\x1b") && OWN_COLOR.test(color)) return found;
    return `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}${color}`;
  });
}
