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

/** A link of a Markdown text. */
export interface Link {
  readonly label: string;
  readonly target: string;
}

/** The links, those in code blocks left out. */
export function links(markdown: string): Link[] {
  const found = prose(markdown).matchAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g);
  return [...found].map((match) => ({ label: match[1]!, target: match[2]! }));
}

/** The anchors that GitHub gives the headings. */
export function headingAnchors(markdown: string): string[] {
  const times = new Map<string, number>();
  return [...prose(markdown).matchAll(/^#{1,6} +(.+)$/gm)].map((match) => {
    const slug = match[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-");
    const before = times.get(slug) ?? 0;
    times.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

function prose(markdown: string): string {
  return markdown.replaceAll(/^```[\s\S]*?^```$/gm, "");
}
