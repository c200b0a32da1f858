/** The text of a page in the format of lessons. */
export interface ConvertedPage {
  readonly markdown: string;
  readonly hints: readonly string[];
  /** Lines that solve the step; empty when the page shows no solution. */
  readonly solution: string;
}

/** What follows code that can be run: `{{exec}}`, `{{exec interrupt}}`, and Katacoda's `{{execute}}`. */
const runMark = /\{\{exec(?:ute)?(?:\s[^}]*)?\}\}/;
const anyMark = /\{\{[^}]*\}\}/g;

/**
 * Converts a page: code that can be run becomes a command, folded parts become hints or the solution. Headings move below those of steps,
 * and HTML is removed, since lessons cannot contain it.
 */
export function convertPage(source: string): ConvertedPage {
  const hints: string[] = [];
  const solutions: string[] = [];
  const { text, details } = splitDetails(source.replaceAll('\r\n', '\n'));
  for (const { summary, content } of details) {
    const commands = /solution|answer/i.test(summary) ? codeBlocks(content) : [];
    if (commands.length > 0) solutions.push(...commands);
    else hints.push(convertText(content).replaceAll('```sh run\n', '```sh\n').trim());
  }
  return { markdown: convertText(text).trim(), hints, solution: solutions.join('\n') };
}

interface Details {
  readonly summary: string;
  readonly content: string;
}

/** Separates the folded parts of a page: `<details><summary>Tip</summary>…</details>`. */
function splitDetails(source: string): { readonly text: string; readonly details: readonly Details[] } {
  const [first = '', ...parts] = source.split('<details>');
  let text = first;
  const details: Details[] = [];
  for (const part of parts) {
    const [folded = '', ...rest] = part.split('</details>');
    const [summary = '', ...content] = folded.split('</summary>');
    details.push({ summary: cleanMarkup(summary).trim(), content: content.join('') });
    text += rest.join('');
  }
  return { text, details };
}

function convertText(source: string): string {
  return splitFences(source)
    .map(({ fence, text }) => (fence === undefined ? convertProse(text) : `\`\`\`${fence}\n${text}\`\`\`\n`))
    .join('')
    .replace(/\n{3,}/g, '\n\n');
}

interface Piece {
  /** The info string of the converted block. Undefined: prose. */
  readonly fence: string | undefined;
  readonly text: string;
}

/** Fenced blocks carry their mark behind the closing fence: "```{{exec}}". */
function splitFences(source: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let prose = '';
  let block: { readonly language: string; text: string } | undefined;
  for (const line of source.split('\n')) {
    const [, rest = ''] = /^\s*```(.*)$/.exec(line) ?? [];
    const isFence = /^\s*```/.test(line);
    if (block && isFence) {
      pieces.push({ fence: runMark.test(rest) ? 'sh run' : languageOf(block.language), text: block.text });
      block = undefined;
    } else if (block) block.text += `${line}\n`;
    else if (isFence) {
      pieces.push({ fence: undefined, text: prose });
      prose = '';
      block = { language: rest.trim(), text: '' };
    } else prose += `${line}\n`;
  }
  return block ? [...pieces, { fence: languageOf(block.language), text: block.text }] : [...pieces, { fence: undefined, text: prose }];
}

/** Languages that have a meaning in lessons become plain ones. */
function languageOf(info: string): string {
  const [language = ''] = info.split(/\s/);
  return ['check', 'hint', 'solution', 'plain'].includes(language) ? 'text' : language;
}

/** Inline code that can be run becomes a command below its paragraph; alone in a line, it replaces the line. */
function convertProse(text: string): string {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => {
    const commands = [...paragraph.matchAll(/`([^`\n]+)`(\{\{[^}]*\}\})/g)].flatMap(([, code = '', mark = '']) =>
      runMark.test(mark) ? [code] : [],
    );
    const rest = paragraph.replace(/^\s*`[^`\n]+`\{\{exec[^}]*\}\}\s*$/gm, '').replace(anyMark, '');
    const blocks = commands.map((code) => `\`\`\`sh run\n${code}\n\`\`\``);
    return [cleanMarkup(rest), ...blocks].filter((one) => one.trim() !== '').join('\n');
  });
  return `${paragraphs.join('\n\n')}\n`;
}

function cleanMarkup(text: string): string {
  const [first = '', ...parts] = text.split('<!--');
  const withoutComments = first + parts.map((part) => part.split('-->').slice(1).join('-->')).join('');
  return withoutComments.replace(/<\/?[a-z][^>\n]*>/gi, '').replace(/^#{1,2}\s+/gm, '### ');
}

function codeBlocks(content: string): readonly string[] {
  const inline = [...content.matchAll(/`([^`\n]+)`\{\{exec[^}]*\}\}/g)].map(([, code = '']) => code);
  const fenced = splitFences(content).flatMap(({ fence, text }) =>
    fence !== undefined && ['sh run', 'sh', 'bash', 'shell', 'text', ''].includes(fence) ? [text.trimEnd()] : [],
  );
  return [...fenced, ...inline];
}
