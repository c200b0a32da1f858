import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url).pathname;

/** Words that stand for a term of the field, which is used instead. */
const bannedWords: ReadonlyMap<string, string> = new Map([
  ...['tell', 'tells', 'told', 'telling', 'teller'].map((word) => [word, 'report, emit, notify'] as const),
  ...['ask', 'asks', 'asked', 'asking', 'asker'].map((word) => [word, 'request, query, caller'] as const),
  ...['keep', 'keeps', 'kept', 'keeper'].map((word) => [word, 'store, retain, cache'] as const),
  ...['say', 'says', 'said'].map((word) => [word, 'message, return, contain'] as const),
  ...['who', 'whom', 'whoever'].map((word) => [word, 'user, caller, client'] as const),
  ...['room', 'rooms', 'house', 'desk', 'door'].map((word) => [word, 'module, architecture, dispatcher, entry point'] as const),
]);

/** Standard terms that contain a banned word. */
const standardTerms = /keep-?alive|whoami|whoCan/gi;

/** Names of serialized members: of messages between page and worker, of responses of the page's host, of recorded data. */
const serializedMembers: ReadonlyMap<string, readonly string[]> = new Map([
  ['told', ['src/cluster/requests/variants.test.ts']],
  ['keep', ['src/cluster/admission/admission-policies.test.ts']],
]);

/** Source text without strings, templates and regular expressions, which may contain texts of users and of Kubernetes. */
function withoutLiterals(source: string): string {
  return source.replace(
    /(\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/[^\n]*)|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=[=(,:!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//g,
    (literal, comment?: string) => comment ?? (literal.startsWith('`') ? literal.replace(/[^\n]/g, ' ') : ''),
  );
}

/** The words of identifiers (`whoAsks`, `KEPT_NAMES`) and comments. */
function wordsIn(text: string): readonly string[] {
  return text
    .replace(standardTerms, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function bannedIn(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = wordsIn(line).filter((word) => bannedWords.has(word) && !serializedMembers.get(word)?.some((at) => path.startsWith(at)));
    return found.map((word) => `${path}:${index + 1}: ${word} (${bannedWords.get(word)})`);
  });
}

function sourceFiles(folder: string): readonly string[] {
  return (
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      // Comments of generated types are descriptions of the API.
      .filter((path) => path.endsWith('.ts') && !path.startsWith('src/schema/api/'))
  );
}

test.each(['src', 'sw', 'build'])('identifiers and comments of %s use standard terms', (folder) => {
  const found = sourceFiles(folder).flatMap((path) => bannedIn(path, withoutLiterals(readFileSync(join(root, path), 'utf8'))));
  expect(found).toEqual([]);
});

test('names of files use standard terms', () => {
  const found = ['src', 'sw', 'build', 'test'].flatMap((folder) =>
    sourceFiles(folder).flatMap((path) =>
      wordsIn(path)
        .filter((word) => bannedWords.has(word))
        .map((word) => `${path}: ${word}`),
    ),
  );
  expect(found).toEqual([]);
});

test.each([
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
])('%s uses standard terms', (path) => {
  expect(bannedIn(path, readFileSync(join(root, path), 'utf8'))).toEqual([]);
});
