/** A fenced code block of a Markdown text. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
  /** Line of its opening fence, from 1. */
  readonly line: number;
}

/** The code blocks, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^```(\w*)[^\n]*\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    code: match[2]!,
    line: markdown.slice(0, match.index).split("\n").length,
  }));
}

/** The TypeScript blocks that a `text` block follows: programs, and what they print. */
export function examples(markdown: string): { program: CodeBlock; output: string }[] {
  const blocks = codeBlocks(markdown);
  return blocks.flatMap((program, at) => {
    const next = blocks[at + 1];
    return program.language === "ts" && next?.language === "text" ? [{ program, output: next.code }] : [];
  });
}
