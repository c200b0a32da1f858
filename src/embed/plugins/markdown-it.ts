import { elementOf } from '../markdown/block-kind.ts';

/** The used part of a token of markdown-it. */
interface Token {
  readonly info: string;
}

type FenceRule = (tokens: Token[], index: number, ...rest: never[]) => string;

/** The used part of markdown-it. */
interface MarkdownIt {
  readonly renderer: { readonly rules: { fence?: FenceRule | undefined } };
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const escapeAttribute = (text: string): string => text.replace(/[&"<>]/g, (char) => escapes[char] ?? '');

/** A plugin of markdown-it and VitePress: fenced blocks with the word `tabplane` become live examples. */
export function tabplaneExamples(markdown: MarkdownIt): void {
  const { rules } = markdown.renderer;
  const renderFence = rules.fence;
  if (renderFence === undefined) return;
  rules.fence = (tokens, index, ...rest) => {
    const block = renderFence(tokens, index, ...rest);
    const element = elementOf(tokens[index]?.info ?? '');
    if (element === undefined) return block;
    const attributes = Object.entries(element.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
    return `<${element.name}${attributes.join('')}>${block}</${element.name}>\n`;
  };
}
