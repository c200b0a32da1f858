import { expect, test } from 'vitest';
import { compileExpression } from '../expression.ts';
import { environments } from '../language/environment.ts';
import { listType, mapType, parseType } from '../language/types.ts';
import { costExceeded } from '../values/evaluation-ended.ts';
import { ListValue } from '../values/list.ts';
import { Failure, type Result, type Value } from '../values/value.ts';
import { WorkBudget } from './work.ts';

const environment = environments().extend('stored', {
  variables: [
    ['text', parseType('string')],
    ['list', listType(parseType('dyn'))],
    ['map', mapType(parseType('string'), parseType('dyn'))],
  ],
});

function evaluated(source: string, values: Readonly<Record<string, Value>> = {}): Result {
  return compileExpression(source, environment).evaluate((name) => values[name]).result;
}

/** A list of ten references to the list below it: small to store, huge to visit. */
const shared = (levels: number): ListValue =>
  Array.from({ length: levels }).reduce<ListValue>((list) => ListValue.of(Array(10).fill(list)), ListValue.of([1n]));

const exceeded = new Failure(costExceeded);

test.each([
  ['a text replaced repeatedly', `'a'${".replace('a', 'aaaaaaaaaa')".repeat(12)}`],
  ['an empty text replaced by a long one', "text.replace('', text).replace('', text).replace('', text)"],
  ['a format that repeats', "'%s%s%s%s'.format([text, text, text, text]).replace('a', text)"],
  ['a format of a huge width', "'%.1000000000e'.format([1.0])"],
  ['a join of long texts', "text.split('').join(text + text + text + text)"],
])('%s exhausts the budget before the text is created', (_, source) => {
  expect(evaluated(source, { text: 'a'.repeat(4_000) })).toEqual(exceeded);
});

test.each([
  ['compared', 'list == list + []'],
  ['shown', "'%s'.format([list])"],
  ['flattened', 'list.flatten(20).size() == 0'],
  ['searched', '[list, list].exists(x, x in list)'],
  ['made distinct', 'list.distinct().size() == 0'],
])('a list with shared parts exhausts the budget when it is %s', (_, source) => {
  expect(evaluated(source, { list: shared(20) })).toEqual(exceeded);
});

test('charges a changing pattern each time', () => {
  const list = ListValue.of(Array.from({ length: 100 }, (_, index) => BigInt(index)));
  const text = '(a|b)'.repeat(400);
  expect(evaluated("list.exists(x, 'c'.matches(text))", { list, text })).toBe(false);
  expect(evaluated("list.exists(x, 'c'.matches(text + string(x)))", { list, text })).toEqual(exceeded);
  expect(evaluated("list.exists(x, 'c'.matches(text + '(' + string(x)))", { list, text })).toEqual(exceeded);
});

test.each([
  ['times in zones', "list.all(x, timestamp(x).getFullYear('America/New_York') > 0)"],
  ['queries of URLs', "list.all(x, url('http://a/?' + text).getQuery().size() > 0)"],
  ['addresses', "list.all(x, ip('::1').isLoopback())"],
])('charges %s by their time', (_, source) => {
  const list = ListValue.of(Array.from({ length: 50_000 }, (_, index) => BigInt(index)));
  expect(evaluated(source, { list, text: 'a=b&'.repeat(10) })).toEqual(exceeded);
});

test('groups query parameters by name, in order', () => {
  expect(evaluated("url('http://a/?a=1&b=2&a=3').getQuery() == {'a': ['1', '3'], 'b': ['2']}")).toBe(true);
});

test('several evaluations can share a budget', () => {
  const work = new WorkBudget(100_000);
  const adding = compileExpression('list + list', environment);
  const values = { list: ListValue.of(Array.from({ length: 20_000 }, (_, index) => BigInt(index))) };
  const results = [1, 2, 3].map(() => adding.evaluate((name) => values[name as 'list'], undefined, work).result);
  expect(results.map((result) => result instanceof Failure)).toEqual([false, false, true]);
});

test('accepts ordinary large values', () => {
  const list = ListValue.of(Array.from({ length: 5_000 }, (_, index) => BigInt(index)));
  expect(evaluated('sets.equivalent(list, list) || true', { list })).toEqual(exceeded);
  expect(evaluated('list == list && list + [1] != list', { list })).toBe(true);
  expect(evaluated("text.replace('a', 'bb').size() == 200000", { text: 'a'.repeat(100_000) })).toBe(true);
});
