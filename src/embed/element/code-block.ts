import { exampleLanguage } from '../settings.ts';

/** Elements that generators put around a block, such as one for its frame and copy button. */
export const frames: string =
  'div.highlight, div.highlighter-rouge, figure.highlight, figure.frame, div[class*="language-"], .expressive-code, .codehilite';

/** The classes of code blocks name their language: `language-yaml`, or `lang-yaml`. */
const languageClass = /^lang(?:uage)?-(.+)$/;

/** The language of a code block, of the attributes and classes that generators write on it or around it; empty when there is none. */
export function languageOf(code: Element, within: Element): string {
  for (let element: Element | null = code; element; element = element === within ? null : element.parentElement) {
    const named = element.getAttribute('data-lang') ?? element.getAttribute('data-language') ?? element.getAttribute('language');
    const found = [...(named === null ? [] : [named]), ...[...element.classList].map((name) => languageClass.exec(name)?.[1] ?? '')];
    const language = found.find((name) => exampleLanguage(name) !== undefined);
    if (language !== undefined) return language;
  }
  return '';
}

/** The element with the text of a code block. Line numbers are in another column. */
export function codeOf(block: Element): Element | null {
  return block.querySelector('td.code code, td.code pre, .rouge-code pre') ?? block.querySelector('pre code') ?? block.querySelector('pre');
}

/**
 * The text of a code block. Generators may put each line into an element of its own: with or without a line break, or, as Docusaurus before
 * 3.10, with a `br`.
 */
export function textOf(code: Element): string {
  const lines = [...code.children].filter((line) => line.matches('div, :has(> br)'));
  return (lines.length > 0 ? lines : [code]).map((line) => line.textContent.replace(/\n$/, '')).join('\n');
}
