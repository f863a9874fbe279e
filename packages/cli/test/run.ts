import { fixturePath } from "@h5/testing";
import { main } from "../src/main.ts";

/** What a run of `h5` gave. */
export interface Run {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** What the standard output is taken for. */
export interface Terminal {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** Runs `h5` in this process. */
export async function h5(args: readonly string[], terminal: Terminal = {}): Promise<Run> {
  const written = { out: "", err: "" };
  const stdout = { ...terminal, write: (text: string) => (written.out += text) };
  const stderr = { write: (text: string) => (written.err += text) };
  return { status: await main(args, { stdout, stderr }), ...written };
}

/** Path of a fixture of `fixtures/reader`. */
export function fixture(name: string): string {
  return fixturePath(`reader/${name}.h5`);
}

/** Lines of an output, without the last line's end. */
export function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
