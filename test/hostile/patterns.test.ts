import { expect, test, vi } from 'vitest';
import { coversPath } from '../../src/authz/rbac/rules.ts';
import { callFunction } from '../../src/cel/functions/call.ts';
import { startTestCluster } from '../../src/cluster/test-cluster.test-support.ts';
import { isDns1123Subdomain } from '../../src/meta/index.ts';
import { compilePattern, PatternError } from '../../src/regexp/index.ts';
import { matchesFormat } from '../../src/schema/structural/formats.ts';
import { testTimeoutMs } from './test-server.ts';

vi.setConfig({ testTimeout: testTimeoutMs });

/**
 * Patterns that backtracking engines take exponential or high polynomial time for, with the repeated text and its end: OWASP,
 * "Regular expression Denial of Service", the cases of CodeQL's query for it, and published advisories (Cloudflare 2019, Stack Exchange 2016).
 */
const corpus: readonly (readonly [pattern: string, repeated: string, end: string])[] = [
  ['^(a+)+$', 'a', '!'],
  ['^([a-zA-Z]+)*$', 'a', '!'],
  ['^(a|aa)+$', 'a', '!'],
  ['^(a|a?)+$', 'a', '!'],
  ['^(.*a){20}$', 'a', '!'],
  ['^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$', 'a', '!'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
  ['a*a*a*a*b', 'a', ''],
  ['(a*)*b', 'a', '!'],
  ['(a|aa?)*b', 'a', '!'],
  ['^_(__|.)+_$', '_', '!'],
  ['^(?:\\s+(?:"(?:[^"\\\\]|\\\\\\\\|\\\\.)+"|\'(?:[^\'\\\\]|\\\\\\\\|\\\\.)+\'))$', '\\\\', ''],
  ['^([\\s\\[\\{\\(]|#.*)*$', '##', '\na'],
  ['^[\\_$a-z][\\_$a-z0-9]*(\\[.*?\\])*(\\.[\\_$a-z][\\_$a-z0-9]*(\\[.*?\\])*)*$', '[]', '.b\n'],
  ['(([\\w#:.~>+()\\s-]+|\\*|\\[.*?\\])+)\\s*(,|$)', '][', ']!'],
  ['(b|a?b)*c', 'b', '!'],
  ['(([\\s\\S]|[^a])*)"', 'b', '!'],
  ['((G|[^a])*)"', 'G', '!'],
  ['((\\d|\\w)*)"', '0', '!'],
  ['((\\s|\\s)*)"', '\n', '.'],
  ['((1s|[\\da-z])*)"', '1s', '!'],
  ['^([^>a]+)*(>|$)', '##', '\na'],
  ['(\\n\\s*)+$', '\n', '.'],
  ['^(?:\\s+|#.*|\\(\\?#[^)]*\\))*(?:[?*+]|\\{\\d+(?:,\\d*)?})', '\n', '.'],
  ['(((a+a?)*)+b+)', 'a', '!'],
  ['(a+)+aaaaa$', 'a', '!'],
  ['(([^X]b)+)*($|[^X]c)', 'b', '!'],
  ['((ab)+)*$', 'ab', '!'],
  ['a{2,3}(b+)+X', 'b', '!'],
  ['^<(\\w+)((?:\\s+\\w+(?:\\s*=\\s*(?:(?:"[^"]*")|(?:\'[^\']*\')|[^>\\s]+))?)*)\\s*(\\/?)>', ' a=a', '!'],
  [
    '(?:(?:"|\'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))',
    'x=',
    '',
  ],
  ['[\\s\\x{200c}]+$', ' ', '!'],
  ['^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$', 'a.', '!'],
  ['^([a-zA-Z0-9_.+-]+)+@([a-zA-Z0-9-]+\\.)+[a-zA-Z0-9-.]+$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  ['^((a{0,10}){0,10}){0,10}$', 'a', '!'],
  ['^([01]?\\d\\d?|2[0-4]\\d)(\\.(?:[01]?\\d\\d?)+)*$', '1', '!'],
  ['(.*)(.*)(.*)(.*)(.*)(.*)=', 'a', ''],
  ['(?:a.*b|a)', 'a', ''],
];
const length = 10_000;
const limitMs = 50;

const attack = (repeated: string, end: string): string => repeated.repeat(Math.ceil(length / repeated.length)) + end;

/** The shortest of several runs, since the machine may be busy; a backtracking engine takes hours. */
function shortestMs(action: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 8 && best >= limitMs; runs++) {
    const start = performance.now();
    action();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

test.each(corpus)('%s takes linear time', (pattern, repeated, end) => {
  const text = attack(repeated, end);
  expect(shortestMs(() => compilePattern(pattern).test(text))).toBeLessThan(limitMs);
  expect(shortestMs(() => compilePattern(pattern).find(text))).toBeLessThan(limitMs);
  // The search for all matches restarts behind each match, and still reads the text once.
  expect(shortestMs(() => Array.from(compilePattern(pattern).matches(text)))).toBeLessThan(4 * limitMs);
});

test('rejects patterns that need a backtracking engine', () => {
  for (const pattern of ['("|\')(\\\\?.)*?\\1', '\\/(?![ *])(\\\\\\/|.)*?\\/', '(?<!\\w)a', '(?>a+)b', 'a++b']) {
    expect(() => compilePattern(pattern), pattern).toThrow(PatternError);
  }
});

const crdPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const properties = Object.fromEntries(
  corpus.flatMap(([pattern], at) => {
    const rule = { rule: `size(self.find(${JSON.stringify(pattern)})) >= 0 && (self.matches(${JSON.stringify(pattern)}) || true)` };
    return [
      [`pattern${at}`, { type: 'string', pattern }],
      [`rule${at}`, { type: 'string', maxLength: length + 10, 'x-kubernetes-validations': [rule] }],
    ];
  }),
);
const schema = { type: 'object', properties: { spec: { type: 'object', properties } } };

test('patterns and rules of definitions check texts of ten thousand letters without blocking the server', async () => {
  const { send, clock } = await startTestCluster();
  const target = '/apis/example.com/v1/walls';
  const definition = {
    metadata: { name: 'walls.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural: 'walls', singular: 'wall', kind: 'Wall' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
  expect((await send('POST', crdPath, definition)).status).toBe(201);
  // The definition is served a few steps of its controllers later.
  while ((await send('GET', target)).status === 404) await clock.advance(1);
  for (const [at, [pattern, repeated, end]] of corpus.entries()) {
    const text = attack(repeated, end);
    const wall = (name: string): object => ({
      apiVersion: 'example.com/v1',
      kind: 'Wall',
      metadata: { name: `${name}${at}` },
      spec: { [`${name}${at}`]: text },
    });
    const checked = await send('POST', target, wall('pattern'));
    expect([pattern, checked.status]).toEqual([pattern, compilePattern(pattern).test(text) ? 201 : 422]);
    expect([pattern, (await send('POST', target, wall('rule'))).status]).toEqual([pattern, 201]);
  }
});

test('the own patterns match hostile texts in linear time', () => {
  const long = 50_000;
  const reads: readonly (() => unknown)[] = [
    () => callFunction('trim', [], [`a${' '.repeat(long)}b`]),
    () => callFunction('double', [], [`${'1'.repeat(long)}x`]),
    () => matchesFormat('duration', '1'.repeat(long)),
    () => coversPath(`/${'*'.repeat(long)}a*`, '/healthz'),
    () => isDns1123Subdomain(`${'a.'.repeat(long)}-`),
  ];
  for (const read of reads) expect(shortestMs(read), String(read)).toBeLessThan(limitMs);
});
