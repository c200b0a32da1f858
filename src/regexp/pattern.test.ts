import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePattern, MatchLimitError, PatternError } from './index.ts';

type Answers = Readonly<Record<string, readonly (readonly string[])[]>>;
/** Each pattern with the error of Go's regexp.Compile, or by text the result of FindAllStringSubmatch. Go 1.26; unset groups are empty there. */
const recorded = JSON.parse(readFileSync(new URL('../../test/facts/regexp/go.json', import.meta.url), 'utf8')) as readonly (readonly [
  pattern: string,
  answer: string | Answers,
])[];

test('accepts, rejects and matches like Go, with its messages and all groups', () => {
  for (const [source, answer] of recorded) {
    if (typeof answer === 'string') {
      expect(() => compilePattern(source), source).toThrow(new PatternError(...errorParts(answer)));
      continue;
    }
    const pattern = compilePattern(source);
    for (const [text, wanted] of Object.entries(answer)) {
      const found = [...pattern.matches(text)];
      expect([source, text, found.map(({ groups }) => groups.map((group) => group ?? ''))]).toEqual([source, text, wanted]);
      expect([source, text, pattern.find(text)?.text]).toEqual([source, text, wanted[0]?.[0]]);
      expect([source, text, pattern.test(text)]).toEqual([source, text, wanted.length > 0]);
    }
  }
});

function errorParts(message: string): [problem: string, expression: string] {
  const [, problem = '', expression = ''] = /^error parsing regexp: ([^`]*): (`[\s\S]*`)$/.exec(message) ?? [];
  return [problem, expression.slice(1, -1)];
}

test.each([
  [`${'('.repeat(999)}a${')'.repeat(999)}`, undefined],
  [`${'('.repeat(1000)}a${')'.repeat(1000)}`, 'expression nests too deeply'],
  ['(?:a.'.repeat(3000) + ')'.repeat(3000), undefined],
  ['(x{1000})'.repeat(4000), 'expression too large'],
  ['((a{100}){100}){100}', 'invalid repeat count'],
  ['[[:a'.repeat(100_000), 'missing closing ]'],
  ['\\p{Latn}', 'invalid character class range'],
  ['\\p{Letter}', 'invalid character class range'],
  ['\\p{Garay}', 'invalid character class range'],
])('limits the size of a pattern: %.20s', (source, problem) => {
  if (problem === undefined) expect(compilePattern(source).test('a')).toBe(source.startsWith('(('));
  else expect(() => compilePattern(source)).toThrow(problem);
});

test('reads half of a surrogate pair as the replacement character', () => {
  const all = compilePattern('(?s).');
  expect([...all.matches('\ud83d\ude00\ud83d')].map(({ text }) => text)).toEqual(['\ud83d\ude00', '\ud83d']);
  expect(compilePattern('^\ufffd$').test('\udc00')).toBe(true);
  expect(compilePattern('^\ud800$').test('\ufffd')).toBe(true);
});

test('matches like the platform where both have the same semantics', () => {
  const part = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(?:a|b)', '(?:ab|a)', '(?:b|ba)', '^', '$');
  const repeated = fc.tuple(part, fc.constantFrom('', '', '*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}')).map(([one, count]) => {
    return /[$^]/.test(one) && one.length === 1 ? one : one + count;
  });
  const source = fc.array(repeated, { maxLength: 6 }).map((parts) => parts.join(''));
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(source, text, (pattern, input) => {
      const native = new RegExp(pattern, 'u').exec(input);
      const ours = compilePattern(pattern).find(input);
      expect(ours && [ours.start, ours.text]).toEqual(native ? [native.index, native[0]] : undefined);
    }),
  );
});

test('evicts and rebuilds states with the same result', () => {
  const letters = Array.from({ length: 4000 }, (_, i) => 'ab'[Number.parseInt('0110100110010110'[(i * i + (i >> 3)) % 16] ?? '', 10)]).join(
    '',
  );
  const pattern = compilePattern('^[ab]{900}a[ab]*$');
  for (let from = 0; from < 20; from++) {
    const text = letters.slice(from);
    expect(pattern.test(text)).toBe(text[900] === 'a');
  }
});

test('rejects patterns that are too large to match, and texts that take too much work', () => {
  const large = compilePattern('x{1000}'.repeat(1000));
  expect(() => large.test('x')).toThrow(MatchLimitError);
  const ambiguous = compilePattern('^(([ab][ab]?){20}a){40}$');
  const attempts = Array.from(
    { length: 200 },
    (_, i) => () => ambiguous.test('abbabaab'.repeat(100) + (i * 7919).toString(2).replace(/0/g, 'a').replace(/1/g, 'b').repeat(40)),
  );
  expect(() => attempts.map((attempt) => attempt())).toThrow(MatchLimitError);
  expect(ambiguous.test('')).toBe(false);
});
