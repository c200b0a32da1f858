/** A block of a Markdown document: text, a second-level heading, or a fenced block. */
export type DocumentBlock =
  | { readonly kind: 'text'; readonly text: string; readonly line: number }
  | { readonly kind: 'heading'; readonly text: string; readonly line: number }
  | { readonly kind: 'fence'; readonly info: string; readonly text: string; readonly line: number };

interface Fence {
  readonly mark: string;
  readonly info: string;
  readonly line: number;
  readonly lines: string[];
}

/** Splits a document at its `##` headings and fenced blocks; everything else stays Markdown. Line numbers start at `firstLine`. */
export function splitDocument(source: string, firstLine: number): readonly DocumentBlock[] {
  const pieces: DocumentBlock[] = [];
  let text: string[] = [];
  let fence: Fence | undefined;
  const flush = (line: number): void => {
    if (text.some((one) => one.trim() !== '')) pieces.push({ kind: 'text', text: text.join('\n'), line: line - text.length });
    text = [];
  };
  const close = ({ info, lines, line }: Fence): void => {
    pieces.push({ kind: 'fence', info, text: lines.map((one) => `${one}\n`).join(''), line });
    fence = undefined;
  };
  for (const [index, line] of source.split('\n').entries()) {
    const at = firstLine + index;
    if (fence) {
      if (line.trim().startsWith(fence.mark) && /^\s*(`+|~+)\s*$/.test(line)) close(fence);
      else fence.lines.push(line);
      continue;
    }
    const opens = /^(`{3,}|~{3,})\s*(.*)$/.exec(line);
    const heading = /^##\s+(.*?)\s*#*$/.exec(line);
    if (opens || heading) flush(at);
    if (opens) fence = { mark: opens[1] ?? '', info: (opens[2] ?? '').trim(), line: at, lines: [] };
    else if (heading) pieces.push({ kind: 'heading', text: heading[1] ?? '', line: at });
    else text.push(line);
  }
  // An unclosed block extends to the end of the document, as CommonMark defines.
  if (fence) close(fence);
  flush(firstLine + source.split('\n').length);
  return pieces;
}
