import { expect, test } from 'vitest';
import { plainValueOf } from '../../cel/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import { evaluatePolicy, type PolicyDecision } from './evaluate-policy.ts';
import { createValidatingPolicyReader } from './validating-policy.ts';

/** The result of a policy for an object; the authorizer denies everything. */
function evaluated(spec: JsonObject, object: JsonObject = { metadata: { name: 'a' } }): Promise<PolicyDecision> {
  const policy = createValidatingPolicyReader()({ metadata: { name: 'p' }, spec } as never);
  const values = (name: string) => (name === 'object' ? plainValueOf(object) : undefined);
  return evaluatePolicy(policy, { conditions: values, validations: values, others: values }, () => undefined);
}

const messages = async (spec: JsonObject, object?: JsonObject): Promise<readonly string[]> =>
  (await evaluated(spec, object)).denials.map(({ message }) => message);

test('each failed validation reports its first available message', async () => {
  const validations = [
    { expression: 'true', message: 'fine' },
    { expression: 'false', messageExpression: '"no " + string(object.metadata.name)', message: 'other' },
    { expression: 'false', messageExpression: '"two\\nlines"', message: ' own ' },
    { expression: ' false ', messageExpression: 'string(object.nope)' },
  ];
  expect(await messages({ validations })).toEqual(['no a', 'own', 'failed expression: false']);
});

test('rejects requests whose evaluation fails, unless the failurePolicy is Ignore', async () => {
  const validations = [{ expression: 'object.nope == 1', message: 'never told' }];
  expect(await messages({ validations })).toEqual(["expression 'object.nope == 1' resulted in error: no such key: nope"]);
  expect(await messages({ validations, failurePolicy: 'Ignore' })).toEqual([]);
});

test('variables see earlier variables, and lose the types of Kubernetes', async () => {
  const variables = [
    { name: 'size', expression: 'quantity("1Gi")' },
    { name: 'broken', expression: 'object.nope' },
    { name: 'next', expression: 'variables.broken + 1' },
  ];
  const why = 'composited variable "next" fails to evaluate: composited variable "broken" fails to evaluate: no such key: nope';
  expect(await messages({ variables, validations: [{ expression: 'variables.next == 1' }] })).toEqual([
    `expression 'variables.next == 1' resulted in error: ${why}`,
  ]);
  expect((await messages({ variables, validations: [{ expression: 'variables.size < 3' }] }))[0]).toContain('no such overload');
});

test('a false condition decides; errors count only without one', async () => {
  const validations = [{ expression: 'false' }];
  const condition = (expression: string) => ({ name: 'c', expression });
  expect(await messages({ validations, matchConditions: [condition('object.nope == 1'), condition('false')] })).toEqual([]);
  const failing = { validations, matchConditions: [condition('object.nope == 1'), condition('object.no == 2'), condition('true')] };
  expect(await messages(failing)).toEqual([
    "[expression 'object.nope == 1' resulted in error: no such key: nope, expression 'object.no == 2' resulted in error: no such key: no]",
  ]);
  expect(await messages({ ...failing, failurePolicy: 'Ignore' })).toEqual([]);
});

const expensiveExpression = (levels: number): string =>
  Array.from({ length: levels }).reduce<string>((inner) => `[1,2,3,4,5,6,7,8,9,10].all(x, ${inner})`, 'x > 0');

test('an expensive expression fails alone, an exhausted budget ends the evaluation', async () => {
  const validations = (levels: number, count: number) => Array.from({ length: count }, () => ({ expression: expensiveExpression(levels) }));
  expect((await messages({ validations: validations(7, 1) }))[0]).toContain(
    'resulted in error: operation cancelled: actual cost limit exceeded',
  );
  expect(await messages({ validations: validations(5, 40) })).toEqual([
    'validation failed due to running out of cost budget, no further validation rules will be run',
  ]);
});

test('every validation fails when the budget is exhausted by messages', async () => {
  const validation = { expression: 'true', messageExpression: `${expensiveExpression(5)} ? "a" : "b"` };
  const why = 'failed messageExpression: validation failed due to running out of cost budget, no further validation rules will be run';
  expect(new Set(await messages({ validations: Array.from({ length: 40 }, () => validation) }))).toEqual(new Set([why]));
});

test('publishes annotations, but not null or blank ones', async () => {
  const annotation = (key: string, valueExpression: string) => ({ key, valueExpression });
  const auditAnnotations = [annotation('a', '" x "'), annotation('b', 'null'), annotation('c', '"  "')];
  expect(await evaluated({ auditAnnotations })).toEqual({ denials: [], annotations: [{ key: 'a', value: 'x' }] });
  const failing = { auditAnnotations: [annotation('a', 'string(object.nope)')] };
  expect((await evaluated(failing)).denials).toMatchObject([{ always: true, message: expect.stringContaining('no such key: nope') }]);
  expect((await evaluated({ ...failing, failurePolicy: 'Ignore' })).denials).toEqual([]);
});
