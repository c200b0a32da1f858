import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const src = new URL('../../src/console/', import.meta.url).pathname;

/** A node of the syntax tree, as far as it is looked into. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What is spelled the same in all languages: the product, and what is no word. */
const untranslated: ReadonlySet<string> = new Set(['Tabplane']);
/** What stands between these is spelled as machines want it. */
const verbatim = /<(code|kbd|pre|samp|style)\b[^>]*>[^<]*<\/\1>/g;
const spoken = /\b(?:aria-label|aria-description|title|placeholder|alt|label)=(?:"([^"]*)"|'([^']*)')/g;

/** Texts of `html` templates that no `msg` has. */
function* bareTexts(node: Node, isMessage: boolean): Generator<string> {
  const callee = node['callee'] as Node | undefined;
  const within = node.type === 'CallExpression' && callee?.['name'] === 'msg';
  if (node.type === 'TaggedTemplateExpression' && (node['tag'] as Node)['name'] === 'html' && !isMessage) yield* textsOf(node);
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      // In a message's values there are templates again.
      if (isNode(inner)) yield* bareTexts(inner, within || (isMessage && node.type !== 'TemplateLiteral'));
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* textsOf(template: Node): Generator<string> {
  const quasis = (template['quasi'] as Node)['quasis'] as readonly Node[];
  // A value has no words of its own; `=` before it keeps it inside its tag.
  const whole = quasis.map((quasi) => (quasi['value'] as { readonly raw: string }).raw).join('\u0000');
  for (const [, double, single] of whole.matchAll(spoken)) yield* wordsOf(double ?? single ?? '');
  for (const text of whole
    .replace(verbatim, '')
    .replace(/<!--.*?-->/gs, '')
    .split(/<[^<>]*>/))
    yield* wordsOf(text);
}

function* wordsOf(text: string): Generator<string> {
  const said = text.replaceAll('\u0000', ' ').trim();
  if (/\p{L}{2}/u.test(said) && !untranslated.has(said)) yield said;
}

const functions: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Calls of `msg`, and whether they are made while the module is loaded. */
function* messages(node: Node, early: boolean): Generator<{ readonly call: Node; readonly early: boolean }> {
  if (node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'msg') yield { call: node, early };
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (isNode(inner)) yield* messages(inner, early && !functions.has(node.type));
    }
  }
}

/** Whoever gathers the texts to translate reads them in the source. */
function isWritten(node: Node): boolean {
  if (node.type === 'Literal') return true;
  const tag = (node['tag'] as Node | undefined)?.['name'];
  const expressions = ((node['quasi'] ?? node) as Node)['expressions'] as readonly Node[] | undefined;
  return node.type === 'TemplateLiteral' ? expressions?.length === 0 : tag === 'str' || tag === 'html';
}

/** What a message says, with `{0}` for its first value. */
function textOf(call: Node): string {
  const written = (call['arguments'] as readonly Node[])[0] as Node;
  if (written.type === 'Literal') return String(written['value']);
  const quasis = ((written['quasi'] ?? written) as Node)['quasis'] as readonly Node[];
  return quasis.map((quasi, at) => `${at === 0 ? '' : `{${at - 1}}`}${(quasi['value'] as { readonly cooked: string }).cooked}`).join('');
}

const files: readonly string[] = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
);
const programOf = (path: string): Node => parseAst(readFileSync(join(src, path), 'utf8'), { lang: 'ts' }) as unknown as Node;

test.each(files)('what %s shows can be translated', (path) => {
  expect([...bareTexts(programOf(path), false)]).toEqual([]);
});

test('messages are asked for when they are shown, after the language is known, and stand in the source', () => {
  const told = files.flatMap((path) => [...messages(programOf(path), true)].map((message) => ({ path, ...message })));
  expect(told.length).toBeGreaterThan(400);
  expect(told.filter(({ early }) => early).map(({ path }) => path)).toEqual([]);
  expect(told.filter(({ call }) => !isWritten((call['arguments'] as readonly Node[])[0] as Node)).map(({ path }) => path)).toEqual([]);
});

test('what is left in one script may be right in another: screens are laid out by inline and block', () => {
  const physical = /\b(?:margin|padding|border|inset)-(?:left|right)\b|^\s*(?:left|right):|\b(?:text-align|float|clear): (?:left|right)\b/m;
  expect(files.filter((path) => physical.test(readFileSync(join(src, path), 'utf8')))).toEqual([]);
  expect(physical.test('  left: 0;')).toBe(true);
});

const languages: readonly string[] = readdirSync(join(src, 'languages/data'));

test.each(languages)('%s has every message, and no other', (file) => {
  const words: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(src, 'languages/data', file), 'utf8'));
  const said = files.flatMap((path) => [...messages(programOf(path), false)].map(({ call }) => textOf(call)));
  expect([...new Set(said)].sort()).toEqual(Object.keys(words).sort());
  // Each value is told as often as it comes, and markup is the same.
  const frame = (text: string): readonly string[] => [...text.matchAll(/\{\d+\}|<[^>]+>/g)].map(([one]) => one).sort();
  expect(Object.entries(words).filter(([source, text]) => frame(source).join() !== frame(text).join())).toEqual([]);
});
