import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ownConstants = 'made of constants of its own file';
const shellTool = 'typed by the user of the shell, who may write back-references; runs in that page alone';

/**
 * Where the platform's backtracking engine may get a pattern that is no literal: by file, with the beginning of the argument. Patterns that
 * users write go through `compilePattern` of src/regexp, which takes linear time.
 */
const allowed: readonly (readonly [file: string, argument: string, reason: string])[] = [
  ['src/cel/functions/strings.ts', '`^${blank}+|(?<!${blank})${blank}+$`', ownConstants],
  ['src/cel/language/tokens.ts', 'grammar.map(', ownConstants],
  ['src/console/model/identities.ts', '`^${section}:', 'the name of a section, a constant of the caller'],
  ['src/console/model/identities.ts', '`(?:^|\\\\n)[ \\\\t]*${key}:', 'the name of a field, a constant of the caller'],
  ['src/console/terminal/did-you-mean.ts', "`\\\\b${word.replace(/\\W/g, '\\\\$&')}\\\\b`", 'an escaped word'],
  ['src/shell/builtins/awk.ts', 'separator', shellTool],
  ['src/shell/builtins/awk.ts', 'token.slice(1, -1)', shellTool],
  ['src/shell/builtins/awk.ts', 'pattern.replace(', shellTool],
  ['src/shell/builtins/grep.ts', 'bounded', shellTool],
  ['src/shell/builtins/sed.ts', "regExpSource(this.#readUntil('/'), this.#kind)", shellTool],
  ['src/shell/builtins/sed.ts', 'regExpSource(pattern, this.#kind)', shellTool],
  ['src/shell/builtins/text-tools.ts', '`.{1,${width}}`', 'a number'],
  ['src/shell/condition.ts', 'source', shellTool],
  ['src/shell/glob.ts', '`^${source}$`', shellTool],
  ['src/shell/jq/functions.ts', 'source', shellTool],
  ['src/shell/parameters.ts', 'before + source + after', shellTool],
  ['src/meta/names/names.ts', '`^${subdomainText}$`', ownConstants],
  ['src/meta/names/names.ts', '`^${labelText}$`', ownConstants],
  ['src/meta/names/names.ts', '`^${qualifiedText}$`', ownConstants],
  ['src/meta/names/names.ts', '`^(${qualifiedText})?$`', ownConstants],
  ['src/meta/names/names.ts', '`^${underscoredText}$`', ownConstants],
  ['src/meta/names/names.ts', '`^\\\\*\\\\.${subdomainText}$`', ownConstants],
  ['src/regexp/char-set.ts', "`^[${members.join('')}]$`", 'one set of characters, of numbers and checked names'],
  ['src/regexp/char-set.ts', '`\\\\p{Script=${name}}`', 'a name of letters, only compiled'],
  ['src/schema/defaulting/rules-pod.ts', '`^((?:${domain}/)?${component}', ownConstants],
  ['src/schema/structural/formats.ts', '`^${hexGroup}{8}', ownConstants],
  ['src/schema/structural/formats.ts', '`^rgb', ownConstants],
  ['src/schema/structural/formats.ts', '`^(?:${hostLabel}|${hostName})$`', ownConstants],
  ['src/schema/validation/conditions.ts', '`^${reasonPattern}$`', ownConstants],
  ['src/schema/validation/semantic-version.ts', '`^${number}', ownConstants],
];

/** Calls of RegExp, with or without `new`, however it is reached; arguments that are literals are as good as literals. */
const call = /\bRegExp\s*\(\s*(?!['"/])([^\n]*)/g;

const root = new URL('../../', import.meta.url).pathname;
const found = ['src', 'sw'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const file = `${folder}/${path}`;
      return [...readFileSync(join(root, file), 'utf8').matchAll(call)].map(([, argument = '']) => ({ file, argument }));
    }),
);

test('text of users never becomes a pattern of the backtracking engine', () => {
  const wrong = found.filter(
    ({ file, argument }) => !allowed.some(([where, beginning]) => where === file && argument.startsWith(beginning)),
  );
  expect(wrong.map(({ file, argument }) => `${file}: RegExp(${argument} - use compilePattern of src/regexp`)).toEqual([]);
});

test('every exception is still there', () => {
  const unused = allowed.filter(
    ([where, beginning]) => !found.some(({ file, argument }) => where === file && argument.startsWith(beginning)),
  );
  expect(unused).toEqual([]);
});
