import { evaluate } from 'cel-js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CompileError, compileExpression } from './expression.ts';
import { ProgramError } from './language/constants.ts';
import { environments } from './language/environment.ts';
import { ListValue } from './values/list.ts';
import { isFailure, type Value } from './values/value.ts';

const environment = environments().extend('stored', {});

const binary = (operators: readonly string[], left: fc.Arbitrary<string>, right: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(left, fc.constantFrom(...operators), right).map(([a, operator, b]) => `(${a} ${operator} ${b})`);

/** Expressions of each type. Division is left out: cel-js divides integers as doubles. */
const { bool } = fc.letrec<Record<'int' | 'text' | 'bool' | 'list', string>>((tie) => ({
  int: fc.oneof(
    { maxDepth: 5 },
    fc.integer({ min: 0, max: 99 }).map(String),
    binary(['+', '-', '*', '%'], tie('int'), tie('int')),
    tie('text').map((text) => `size(${text})`),
    tie('list').map((list) => `size(${list})`),
    fc.tuple(tie('list'), tie('int')).map(([list, index]) => `${list}[${index}]`),
    fc.tuple(tie('bool'), tie('int'), tie('int')).map(([condition, a, b]) => `(${condition} ? ${a} : ${b})`),
  ),
  text: fc.oneof({ maxDepth: 5 }, fc.constantFrom('"a"', "'b'", '""', '"äö"'), binary(['+'], tie('text'), tie('text'))),
  list: fc.oneof(
    { maxDepth: 5 },
    fc.array(tie('int'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    binary(['+'], tie('list'), tie('list')),
  ),
  bool: fc.oneof(
    { maxDepth: 6 },
    fc.constantFrom('true', 'false'),
    binary(['==', '!=', '<', '<=', '>', '>='], tie('int'), tie('int')),
    binary(['==', '!=', '<', '<=', '>', '>='], tie('text'), tie('text')),
    binary(['==', '!='], tie('list'), tie('list')),
    binary(['in'], tie('int'), tie('list')),
    binary(['&&', '||'], tie('bool'), tie('bool')),
    tie('bool').map((inner) => `!${inner}`),
    fc
      .tuple(tie('list'), tie('int'), fc.constantFrom('all', 'exists', 'exists_one'))
      .map(([list, n, macro]) => `${list}.${macro}(x, x < ${n})`),
  ),
}));

test('an expression that cel-js accepts too has the same value', () => {
  let compared = 0;
  fc.assert(
    fc.property(bool, (source) => {
      const own = ownValue(source);
      const other = otherValue(source);
      if (own === undefined || other === undefined) return;
      compared++;
      expect(own, source).toEqual(other);
    }),
    { numRuns: 800 },
  );
  expect(compared).toBeGreaterThan(100);
});

/** The value as JSON; undefined when the expression is rejected or fails. */
function ownValue(source: string): unknown {
  try {
    const { result } = compileExpression(source, environment).evaluate(() => undefined);
    return isFailure(result) ? undefined : plain(result);
  } catch (error) {
    if (error instanceof CompileError || error instanceof ProgramError) return undefined;
    throw error;
  }
}

function otherValue(source: string): unknown {
  try {
    return evaluate(source);
  } catch {
    return undefined;
  }
}

function plain(value: Value): unknown {
  if (value instanceof ListValue) return value.elements.map((element) => (isFailure(element) ? undefined : plain(element)));
  return typeof value === 'bigint' ? Number(value) : value;
}
