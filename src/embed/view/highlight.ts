import { html, type TemplateResult } from 'lit/html.js';
import type { ExampleLanguage } from '../settings.ts';

type Token = 'comment' | 'string' | 'name';

/** Per language: the tokens in order of precedence, as groups of one pattern. */
const tokenNames: readonly Token[] = ['comment', 'string', 'name'];
const yaml = /(#[^\n]*)|("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(^[ \t-]*\w[\w./-]*(?=:(?:\s|$)))/gm;
const shell = /(#[^\n]*)|("(?:[^"\\\n]|\\.)*"|'[^'\n]*')|(^[ \t]*(?:\$ )?[\w./-]+|--?[a-z][\w-]*)/gm;

/** The code with its comments, strings, and field names or commands marked. */
export function highlight(code: string, language: ExampleLanguage): readonly (string | TemplateResult)[] {
  const parts: (string | TemplateResult)[] = [];
  let at = 0;
  for (const match of code.matchAll(language === 'yaml' || language === 'json' ? yaml : shell)) {
    const [text, ...groups] = match;
    const token = tokenNames[groups.findIndex((group) => group !== undefined)] ?? 'name';
    parts.push(code.slice(at, match.index), html`<span class=${token}>${text}</span>`);
    at = match.index + text.length;
  }
  return [...parts, code.slice(at)];
}
