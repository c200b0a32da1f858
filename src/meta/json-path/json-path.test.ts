import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonPath, JsonPathBudget } from './json-path.ts';
import { JsonPathError } from './json-path-error.ts';

const templates = [
  '{..a}',
  '{..a..b}',
  '{.a..*}',
  '{..*..*}',
  '{..[0]}',
  '{[*]..a}',
  '{..[?(@.a==1)].b}',
  "{['a','b']..a}{.b..b}",
  '{..a[?(@..b)]}',
];

test('firstResults returns the first of all results', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(1, 'x', null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const orMessage = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      expect(error).toBeInstanceOf(JsonPathError);
      return (error as Error).message;
    }
  };
  fc.assert(
    fc.property(fc.constantFrom(...templates), value, (template, data) => {
      const path = new JsonPath(template);
      expect(orMessage(() => path.firstResults(data, new JsonPathBudget(1_000_000)))).toEqual(
        orMessage(() => path.results(data).map(([first]) => first)),
      );
    }),
  );
});

test('nested recursive descents find the first result quickly, and their filters stop at the budget', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 500; level++) deep = { a: deep };
  const first = (template: string): unknown => new JsonPath(template).firstResults(deep, new JsonPathBudget(100_000))[0];
  expect(first(`{${'..a'.repeat(20)}}`)).toBeTypeOf('object');
  expect(() => first(`{.[?(@${'..a'.repeat(20)})]}`)).toThrow(new JsonPathError('too many values'));
});
