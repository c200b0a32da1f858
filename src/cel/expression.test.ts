import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration } from '../meta/index.ts';
import { compilePattern, PatternError } from '../regexp/index.ts';
import { estimateCost, type SizeOf } from './cost/estimate.ts';
import { CompileError, compileExpression, type Expression, type Outcome } from './expression.ts';
import { formatDouble } from './functions/conversions.ts';

import { formatTimestamp } from './functions/times.ts';
import { ProgramError } from './language/constants.ts';
import { type Environment, type EnvironmentOptions, environments } from './language/environment.ts';
import type { Variables } from './language/evaluate.ts';
import { parseType, typeName } from './language/types.ts';
import type { SchemaNode } from './schema/node.ts';
import { declaredType, namedType, sizesFrom } from './schema/types.ts';
import { plainValueOf, schemaValueOf } from './schema/values.ts';
import { ListValue } from './values/list.ts';
import { MapValue } from './values/map.ts';
import { Duration, Failure, OpaqueValue, OptionalValue, type Result, Timestamp, TypeValue, Uint } from './values/value.ts';

/** Results of the Go library (cel-go and k8s.io/apiserver of 1.34). */
interface Fact {
  readonly expr: string;
  readonly stored?: boolean;
  readonly syntaxError?: boolean;
  readonly compileError?: string;
  readonly programError?: string;
  readonly type?: string;
  readonly least?: number;
  readonly most?: number;
  readonly cost?: number;
  readonly error?: string;
  readonly value?: unknown;
}

const readFact = (name: string) => JSON.parse(readFileSync(new URL(`../../test/facts/${name}`, import.meta.url), 'utf8'));
const set = environments();

/** A value in the notation of the recorded facts. */
function shown(value: Result): unknown {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number') return { double: formatDouble(value) };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: btoa(String.fromCharCode(...value)) };
  if (value instanceof Timestamp) return { timestamp: formatTimestamp(new Timestamp(value.nanos)) };
  if (value instanceof Duration) return { duration: formatDuration(value.nanos) };
  if (value instanceof OptionalValue) return { optional: value.value === undefined ? null : shown(value.value) };
  if (value instanceof TypeValue) return { type: value.name };
  if (value instanceof ListValue) return value.elements.map(shown);
  if (value instanceof MapValue) return { map: byKey(value.keys.map((key) => [shown(key), shown(value.find(key) ?? null)])) };
  return value instanceof OpaqueValue ? { other: value.typeName } : { error: (value as Failure).message };
}

function byKey(entries: readonly unknown[]): readonly unknown[] {
  return [...entries].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

type Attempt = { readonly expression: Expression } | { readonly compileError: string } | { readonly programError: string };

function attempt(source: string, environment: Environment): Attempt {
  try {
    return { expression: compileExpression(source, environment) };
  } catch (error) {
    if (error instanceof CompileError) return { compileError: error.message };
    if (error instanceof ProgramError) return { programError: error.message };
    throw error;
  }
}

function expectedErrorOf({ syntaxError, compileError, programError }: Fact): unknown {
  if (syntaxError) return { compileError: expect.stringContaining('Syntax error: ') };
  if (compileError !== undefined) return { compileError };
  return programError === undefined ? undefined : { programError };
}

/** Syntax errors have the texts of ANTLR; only their presence is compared. */
function expectFact(fact: Fact, declared: EnvironmentOptions, variables: Variables, sizeOf: SizeOf): void {
  const tried = attempt(fact.expr, set.extend(fact.stored ? 'stored' : 'new', declared));
  const expectedError = expectedErrorOf(fact);
  if (expectedError) expect(tried, fact.expr).toEqual(expectedError);
  if (expectedError) return;
  if (!('expression' in tried)) throw new Error(`${fact.expr} does not compile: ${JSON.stringify(tried)}`);
  const { result, cost } = tried.expression.evaluate(variables);
  const estimate = estimateCost(tried.expression.checked, sizeOf);
  expect({ type: typeName(tried.expression.type), cost }, fact.expr).toEqual({ type: fact.type, cost: fact.cost });
  expect([estimate.min, estimate.max].map(rounded), fact.expr).toEqual([fact.least ?? 0, fact.most ?? 0].map(rounded));
  expectResult(result, fact);
}

function expectResult(result: Outcome['result'], { expr, error, value }: Fact): void {
  if (error !== undefined) expect(result, expr).toEqual(new Failure(error));
  else if (!isOther(value)) expect(shown(result), expr).toEqual(value);
}

const written = ['int', 'uint', 'double', 'bytes', 'timestamp', 'duration', 'optional', 'type', 'map'];

/** Kubernetes' opaque values have notations of their own; functions on them are compared instead. */
function isOther(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isOther);
  if (typeof value !== 'object' || value === null) return false;
  return !written.some((name) => name in value) || Object.values(value).some(isOther);
}

/** Go's numbers have 64 bits. */
function rounded(cost: number): string {
  return cost.toPrecision(12);
}

const variableFacts = readFact('cel/variables.json') as {
  readonly types: Readonly<Record<string, string>>;
  readonly expressions: readonly Fact[];
};
const values: Readonly<Record<string, Result>> = {
  s: 'hello world',
  i: 5n,
  u: new Uint(7n),
  b: true,
  f: 2.5,
  l: plainValueOf(['a', 'bb', 'ccc']),
  li: plainValueOf([3, 1, 2]),
  m: plainValueOf({ a: 'x', b: 'y' }),
  d: plainValueOf({ spec: { replicas: 3, name: 'abc', list: [{ name: 'n1' }] } }),
  n: null,
  by: new TextEncoder().encode('bytes'),
};
const typed = Object.entries(variableFacts.types).map(([name, text]) => [name, parseType(text)] as const);

test('expressions over variables have the results of the Go library', () => {
  expect(variableFacts.expressions.length).toBeGreaterThan(250);
  for (const fact of variableFacts.expressions)
    expectFact(
      fact,
      { variables: typed },
      (name) => values[name],
      () => undefined,
    );
});

test('expressions over an object with a schema have the results of the Go library', () => {
  const { schema, self, expressions } = readFact('cel/schema.json') as { schema: SchemaNode; self: unknown; expressions: readonly Fact[] };
  const declared = declaredType(schema, false);
  if (!declared) throw new Error('the schema declares nothing');
  const { type, structs } = namedType(declared, 'selfType');
  const variables = [...typed, ['self', type] as const];
  expect(expressions.length).toBeGreaterThan(400);
  for (const fact of expressions) {
    const own: Variables = (name) => (name === 'self' ? schemaValueOf(self, schema) : values[name]);
    expectFact(fact, { variables, structs }, own, sizesFrom(declared));
  }
});

interface Evaluated {
  readonly expr: string;
  readonly type: string;
  readonly result?: unknown;
  readonly runtimeError?: string;
  readonly actualCost?: number;
}

/** Go iterates maps in random order, and costs depend on it. */
const ofChance = ["{'hello': 'world', 'hello!': 'worlds'}.exists(k, v, k.startsWith('hello') && v.endsWith('world'))"];

test('the table of expressions has the results of the Go library', () => {
  const table = readFact('tables/cel-k8s.json') as {
    readonly compileErrors: readonly { readonly expr: string; readonly compileError: string }[];
    readonly eval: readonly Evaluated[];
  };
  const environment = set.extend('stored', {});
  const otherCosts: string[] = [];
  for (const { expr, compileError } of table.compileErrors) {
    const tried = attempt(expr, environment);
    expect('compileError' in tried ? tried.compileError : 'none', expr).toContain(compileError);
  }
  for (const { expr, type, result, runtimeError, actualCost } of table.eval) {
    const tried = attempt(expr, environment);
    if (!('expression' in tried)) {
      expect(Object.values(tried)[0], expr).toBe(runtimeError);
      continue;
    }
    expect(typeName(tried.expression.type), expr).toBe(type);
    const outcome = tried.expression.evaluate(() => undefined);
    if (actualCost !== undefined && outcome.cost !== actualCost) otherCosts.push(expr.trim());
    expectResult(outcome.result, {
      expr,
      value: result,
      ...(runtimeError === undefined ? {} : { error: runtimeError }),
    });
  }
  expect(otherCosts).toEqual(ofChance);
});

test('patterns match like RE2', () => {
  const facts = readFact('cel/patterns.json') as Readonly<Record<string, string | Readonly<Record<string, readonly string[]>>>>;
  const texts = [...new Set(Object.values(facts).flatMap((found) => (typeof found === 'string' ? [] : Object.keys(found))))];
  for (const [pattern, wanted] of Object.entries(facts)) {
    if (typeof wanted === 'string') {
      expect(() => compilePattern(pattern), pattern).toThrow(PatternError);
      continue;
    }
    for (const text of texts) {
      const outcome = compileExpression(
        't.findAll(p)',
        set.extend('new', {
          variables: [
            ['t', parseType('string')],
            ['p', parseType('string')],
          ],
        }),
      );
      const { result } = outcome.evaluate((name) => (name === 't' ? text : pattern));
      expect(shown(result), `${pattern} in ${text}`).toEqual(wanted[text] ?? []);
    }
  }
});

const piece = fc.oneof(
  fc.constantFrom(...'( ) [ ] { } . , ? : + - * / % ! && || == != < <= in . .? [? ?'.split(' ')),
  fc.constantFrom(
    'self',
    'x',
    'has',
    'all',
    'map',
    'exists',
    'filter',
    'size',
    'true',
    'null',
    'int',
    'optional',
    'none',
    '"a"',
    "'b'",
    'r"\\d"',
    'b"x"',
    '1',
    '2u',
    '1.5',
    '0x1f',
    '//c\n',
  ),
  fc.string({ unit: 'grapheme', maxLength: 4 }),
);

test('the parser throws only its own error', () => {
  const environment = set.extend('stored', { variables: [['self', parseType('dyn')]] });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const tried = attempt(pieces.join(' '), environment);
      if ('compileError' in tried) expect(tried.compileError).toMatch(/^ERROR: <input>:\d+:\d+: /);
      else if ('expression' in tried)
        expect(tried.expression.evaluate(() => plainValueOf({ a: [1, 'x'] })).cost).toBeLessThanOrEqual(1_000_100);
    }),
    { numRuns: 3000 },
  );
});

const number: fc.Arbitrary<string> = fc.letrec<{ expr: string }>((tie) => ({
  expr: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', 'i', '-3', 'l.size()', 'l[0]', 'l[9]', '9223372036854775807'),
    fc.tuple(tie('expr'), fc.constantFrom('+', '-', '*', '/', '%'), tie('expr')).map(([a, sign, b]) => `(${a} ${sign} ${b})`),
    fc.tuple(tie('expr'), tie('expr'), tie('expr')).map(([a, b, c]) => `(${a} > ${b} ? ${b} : ${c})`),
    tie('expr').map((a) => `l.map(x, x + ${a}).filter(x, x > 2).size()`),
    fc.tuple(tie('expr'), tie('expr')).map(([a, b]) => `(l.all(x, l.exists(y, x + y > ${a})) ? ${b} : [${a}].map(x, x * 2).sum())`),
  ),
})).expr;

test('every evaluation ends by its cost limit', () => {
  const environment = set.extend('new', {
    variables: [
      ['i', parseType('int')],
      ['l', parseType('list(int)')],
    ],
  });
  const list = plainValueOf(Array.from({ length: 60 }, (_, i) => i));
  fc.assert(
    fc.property(number, fc.integer({ min: 1, max: 5000 }), (source, limit) => {
      const { result, cost } = compileExpression(source, environment).evaluate((name) => (name === 'i' ? 3n : list), limit);
      expect(cost).toBeLessThanOrEqual(limit + 100);
      expect(typeof result === 'bigint' || result instanceof Failure).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('returns a failure when the cost limit is exceeded', () => {
  const environment = set.extend('new', { variables: [['l', parseType('list(int)')]] });
  const list = plainValueOf(Array.from({ length: 300 }, (_, i) => i));
  const { result, cost } = compileExpression('l.all(x, l.all(y, l.all(z, x + y + z >= 0)))', environment).evaluate(() => list);
  expect(result).toEqual(new Failure('operation cancelled: actual cost limit exceeded'));
  expect(cost).toBeGreaterThan(1_000_000);
});

test('collecting many elements takes linear time', () => {
  const environment = set.extend('new', { variables: [['l', parseType('list(int)')]] });
  const list = plainValueOf(Array.from({ length: 60_000 }, (_, i) => i));
  const { result } = compileExpression('l.map(x, x).size()', environment).evaluate(() => list);
  expect(result).toBe(60_000n);
});

test('a duration of an integer compiles, but has no value, as in kube-apiserver', () => {
  const environment = set.extend('new', { variables: [['i', parseType('int')]] });
  const { result } = compileExpression('string(duration(i))', environment).evaluate(() => 5n);
  expect(result).toEqual(new Failure("type conversion error from 'int' to 'google.protobuf.Duration'"));
  expect(() => compileExpression('duration(5)', environment)).toThrow('invalid duration argument');
  expect(() => compileExpression("duration(int('5'))", environment)).toThrow(ProgramError);
});
