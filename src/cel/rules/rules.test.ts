import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { environments } from '../language/environment.ts';
import type { SchemaNode } from '../schema/node.ts';
import { declaredType } from '../schema/types.ts';
import { checkRules } from './check-rules.ts';
import { compileRules } from './compile-rules.ts';
import { ruleValidator, ruleValidatorBelow } from './validate-rules.ts';

/** Results of the Go library for a schema's rules and an object (k8s.io/apiextensions-apiserver of 1.34). */
interface RuleFact {
  readonly schema: SchemaNode;
  readonly self: unknown;
  readonly old?: unknown;
  readonly compiled: readonly {
    readonly usesOldSelf: boolean;
    readonly error?: string;
    readonly messageError?: string;
    readonly maxCost?: number;
    readonly messageMaxCost?: number;
    readonly fieldPath?: string;
  }[];
  readonly errors: readonly string[];
  readonly remaining: number;
}

const facts = JSON.parse(readFileSync(new URL('../../../test/facts/cel/rules.json', import.meta.url), 'utf8')) as readonly RuleFact[];
const set = environments();
const pace = (): undefined => undefined;
const options = { prefix: 'x-kubernetes-', environments: set, environmentTypeOf: () => 'new' as const };

/** Upstream names an object's type with a counter. */
const timeless = (text: string | undefined) => text?.replace(/selfType\d+/g, 'selfType');

test('rules compile like in the Go library', async () => {
  for (const { schema, compiled } of facts) {
    const declared = declaredType(schema, false);
    if (!declared || compiled.length === 0) continue;
    const own = await compileRules(schema, declared, set, () => 'new', pace);
    for (const [i, want] of compiled.entries()) {
      const { rule } = own[i]?.rule ?? {};
      const shown = { usesOldSelf: own[i]?.usesOldSelf, error: own[i]?.error, messageError: own[i]?.messageError };
      const wanted = { usesOldSelf: want.usesOldSelf, error: timeless(want.error), messageError: timeless(want.messageError) };
      expect(shown, rule).toEqual(wanted);
      if (want.maxCost === undefined) continue;
      expect(own[i]?.maxCost.toPrecision(12), rule).toBe(want.maxCost.toPrecision(12));
      expect(own[i]?.messageMaxCost.toPrecision(12), rule).toBe(want.messageMaxCost?.toPrecision(12));
      expect(own[i]?.fieldPath, rule).toBe(want.fieldPath);
    }
  }
});

// One of them runs until its budget is exhausted.
test('rejects objects that violate rules with the upstream messages and costs', { timeout: 30_000 }, async () => {
  for (const { schema, self, old, errors, remaining } of facts) {
    const findings = await (await ruleValidatorBelow(schema, set, pace))?.validate('root', self, old, pace);
    const messages = [...(findings?.errors ?? []).map(({ field, message }) => `${field}: ${message}`), ...(findings?.warnings ?? [])];
    expect(messages.sort(), JSON.stringify(schema)).toEqual(errors.map((error) => timeless(error)).sort());
    expect(findings?.remainingBudget ?? 10_000_000, JSON.stringify(schema)).toBe(remaining);
  }
});

const counter: SchemaNode = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self < 5' }] },
        list: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: {
            type: 'object',
            properties: { k: { type: 'string' }, v: { type: 'integer' } },
            'x-kubernetes-validations': [{ rule: 'self.v < 5' }],
          },
        },
      },
    },
  },
};

test('an unchanged value may continue to violate a rule, with a warning', async () => {
  const validator = await ruleValidator(counter, set, pace);
  const old = {
    spec: {
      n: 9,
      list: [
        { k: 'a', v: 9 },
        { k: 'b', v: 9 },
      ],
    },
  };
  const same = await validator?.validate('', old, old, pace);
  expect(same?.errors).toEqual([]);
  expect(same?.warnings).toContain('spec.n: Invalid value: "integer": failed rule: self < 5');
  const moved = await validator?.validate(
    '',
    {
      spec: {
        n: 8,
        list: [
          { k: 'b', v: 9 },
          { k: 'a', v: 7 },
        ],
      },
    },
    old,
    pace,
  );
  expect(moved?.errors.map(({ field }) => field)).toEqual(['spec.n', 'spec.list[1]']);
  expect(moved?.warnings).toHaveLength(1);
});

test('rules at the root of a resource can access its name and kind', async () => {
  const schema: SchemaNode = {
    type: 'object',
    'x-kubernetes-validations': [{ rule: "self.metadata.name == 'good' && self.kind == 'Widget'" }],
  };
  const validator = await ruleValidator(schema, set, pace);
  expect((await validator?.validate('', { kind: 'Widget', metadata: { name: 'good' } }, undefined, pace))?.errors).toEqual([]);
  expect((await validator?.validate('', { kind: 'Widget', metadata: { name: 'bad' } }, undefined, pace))?.errors).toHaveLength(1);
});

test('an exhausted budget ends the validation', async () => {
  const validator = await ruleValidator(counter, set, pace);
  const { errors, remainingBudget } = (await validator?.validate('', { spec: { n: 1 } }, undefined, pace, { budget: 1 })) ?? {
    errors: [],
    remainingBudget: 0,
  };
  expect(errors[0]?.message).toContain('validation failed due to running out of cost budget, no further validation rules will be run');
  expect(remainingBudget).toBe(-1);
});

const unboundedLists: SchemaNode = {
  type: 'object',
  properties: { l: { type: 'array', items: { type: 'string' } } },
  'x-kubernetes-validations': [{ rule: 'self.l.all(x, self.l.all(y, x == y))' }],
};

test('rejects rules that may exceed the cost limit, with the factor', async () => {
  const errors = await checkRules(unboundedLists, 'schema', options, pace);
  const advice =
    '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    `schema.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${advice}`,
    'schema.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema',
    `schema: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${advice}`,
  ]);
  expect(await checkRules(unboundedLists, 'schema', { ...options, unchanged: true }, pace)).toHaveLength(2);
});

test('oldSelf requires a correlatable path', async () => {
  const item: SchemaNode = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] };
  const [error] = await checkRules(
    { type: 'object', properties: { l: { type: 'array', maxItems: 3, items: item } } },
    'schema',
    options,
    pace,
  );
  expect(error?.message).toBe(
    'Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within schema.properties[l]',
  );
});

test('the error contains a rule that does not compile', async () => {
  const schema: SchemaNode = {
    type: 'object',
    properties: { a: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'self.b > 1' }],
  };
  expect(await checkRules(schema, 'schema', options, pace)).toEqual([
    {
      reason: 'FieldValueInvalid',
      field: 'schema.x-kubernetes-validations[0].rule',
      message:
        'Invalid value: {"Rule":"self.b \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: ' +
        "compilation failed: ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^",
    },
  ]);
});

test('functions of the newest release are only for stored expressions', async () => {
  const schema: SchemaNode = {
    type: 'object',
    properties: { l: { type: 'array', maxItems: 3, items: { type: 'integer' } } },
    'x-kubernetes-validations': [{ rule: 'self.l.sort() == self.l' }],
  };
  expect((await checkRules(schema, 'schema', options, pace))[0]?.message).toContain("undeclared reference to 'sort'");
  expect(await checkRules(schema, 'schema', { ...options, environmentTypeOf: () => 'stored' }, pace)).toEqual([]);
});

test('compiling and evaluating the rules of each node is measured', async () => {
  const counts = { compilations: 0, evaluations: 0, open: 0 };
  const start = (what: 'compilations' | 'evaluations') => (): (() => void) => {
    counts[what]++;
    counts.open++;
    return () => {
      counts.open--;
    };
  };
  const timer = { compilation: start('compilations'), evaluation: start('evaluations') };
  const validator = await ruleValidator(counter, set, pace, timer);
  const { compilations } = counts;
  expect(compilations).toBeGreaterThan(0);
  expect(counts.evaluations).toBe(0);
  await validator?.validate('', { spec: { n: 1 } }, undefined, pace, { timer });
  expect(counts.evaluations).toBeGreaterThan(0);
  expect([counts.compilations, counts.open]).toEqual([compilations, 0]);
});
