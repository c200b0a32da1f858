import { expect, test } from 'vitest';
import { escaped } from '../../build/in-ascii.ts';

const code = "['Grüße…', `→µ`, '😀', /^[ä-ü]+$/.source, /^.$/u.test('😀'), /[😀]/u.test('x😀')]";

test('an escaped program evaluates to the same values', () => {
  const ascii = escaped(code);
  expect(ascii).toMatch(/^[\0-\x7f]*$/);
  const run = (text: string): unknown[] => new Function(`return ${text}`)();
  const [pattern] = run(ascii).splice(3, 1);
  expect(new RegExp(String(pattern)).test('äöü')).toBe(true);
  expect(run(ascii).toSpliced(3, 1)).toEqual(run(code).toSpliced(3, 1));
});

test('the build rejects a raw template with other characters than ASCII', () => {
  expect(() => escaped('String.raw`\\d→`')).toThrow('a raw text cannot be escaped: String.raw`\\d→`');
  expect(escaped('String.raw`\\d` + "→"')).toBe('String.raw`\\d` + "\\u2192"');
});
