import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const src = new URL('../../src/console/', import.meta.url).pathname;

/** A node of the syntax tree. */
interface Node {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Texts that are the same in all languages. */
const untranslated: ReadonlySet<string> = new Set(['Tabplane']);
/** Elements with code, input or output, which are not translated. */
const verbatim = /<(code|kbd|pre|samp|style)\b[^>]*>[^<]*<\/\1>/g;
const textAttributes = /\b(?:aria-label|aria-description|title|placeholder|alt|label)=(?:"([^"]*)"|'([^']*)')/g;

/** Texts of `html` templates outside of `msg`. */
function* bareTexts(node: Node, isMessage: boolean): Generator<string> {
  const callee = node['callee'] as Node | undefined;
  const within = node.type === 'CallExpression' && callee?.['name'] === 'msg';
  if (node.type === 'TaggedTemplateExpression' && (node['tag'] as Node)['name'] === 'html' && !isMessage) yield* textsOf(node);
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      // The values of a message may contain templates.
      if (isNode(inner)) yield* bareTexts(inner, within || (isMessage && node.type !== 'TemplateLiteral'));
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* textsOf(template: Node): Generator<string> {
  const quasis = (template['quasi'] as Node)['quasis'] as readonly Node[];
  // Values are replaced by NUL: they contain no text of the source.
  const whole = quasis.map((quasi) => (quasi['value'] as { readonly raw: string }).raw).join('\u0000');
  for (const [, double, single] of whole.matchAll(textAttributes)) yield* wordsOf(double ?? single ?? '');
  for (const text of whole
    .replace(verbatim, '')
    .replace(/<!--.*?-->/gs, '')
    .split(/<[^<>]*>/))
    yield* wordsOf(text);
}

function* wordsOf(text: string): Generator<string> {
  const words = text.replaceAll('\u0000', ' ').trim();
  if (/\p{L}{2}/u.test(words) && !untranslated.has(words)) yield words;
}

const functions: ReadonlySet<string> = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** Calls of `msg`, and whether they run while the module is loaded. */
function* messages(node: Node, early: boolean): Generator<{ readonly call: Node; readonly early: boolean }> {
  if (node.type === 'CallExpression' && (node['callee'] as Node)['name'] === 'msg') yield { call: node, early };
  for (const value of Object.values(node)) {
    for (const inner of Array.isArray(value) ? value : [value]) {
      if (isNode(inner)) yield* messages(inner, early && !functions.has(node.type));
    }
  }
}

/** Whether a message is a literal, so that it can be extracted for translation. */
function isLiteral(node: Node): boolean {
  if (node.type === 'Literal') return true;
  const tag = (node['tag'] as Node | undefined)?.['name'];
  const expressions = ((node['quasi'] ?? node) as Node)['expressions'] as readonly Node[] | undefined;
  return node.type === 'TemplateLiteral' ? expressions?.length === 0 : tag === 'str' || tag === 'html';
}

/** The text of a message, with `{0}` for its first value. */
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

test.each(files)('%s shows translatable texts only', (path) => {
  expect([...bareTexts(programOf(path), false)]).toEqual([]);
});

test('messages are evaluated when they are rendered, after the language is loaded, and are literals', () => {
  const all = files.flatMap((path) => [...messages(programOf(path), true)].map((message) => ({ path, ...message })));
  expect(all.length).toBeGreaterThan(400);
  expect(all.filter(({ early }) => early).map(({ path }) => path)).toEqual([]);
  expect(all.filter(({ call }) => !isLiteral((call['arguments'] as readonly Node[])[0] as Node)).map(({ path }) => path)).toEqual([]);
});

test('styles use logical properties, which follow the direction of the script', () => {
  const physical = /\b(?:margin|padding|border|inset)-(?:left|right)\b|^\s*(?:left|right):|\b(?:text-align|float|clear): (?:left|right)\b/m;
  expect(files.filter((path) => physical.test(readFileSync(join(src, path), 'utf8')))).toEqual([]);
  expect(physical.test('  left: 0;')).toBe(true);
});

const languages: readonly string[] = readdirSync(join(src, 'languages/data'));

test.each(languages)('%s has every message, and no other', (file) => {
  const words: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(src, 'languages/data', file), 'utf8'));
  const used = files.flatMap((path) => [...messages(programOf(path), false)].map(({ call }) => textOf(call)));
  expect([...new Set(used)].sort()).toEqual(Object.keys(words).sort());
  // A translation has the same placeholders and markup as its source.
  const frame = (text: string): readonly string[] => [...text.matchAll(/\{\d+\}|<[^>]+>/g)].map(([one]) => one).sort();
  expect(Object.entries(words).filter(([source, text]) => frame(source).join() !== frame(text).join())).toEqual([]);
});
