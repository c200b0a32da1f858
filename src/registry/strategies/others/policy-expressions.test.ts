import { expect, test } from 'vitest';
import type { ApiObject, Json } from '../../../meta/index.ts';
import { policyExpressionErrors, webhookExpressionErrors } from './policy-expressions.ts';

const policy = (spec: Readonly<Record<string, Json>>): ApiObject => ({ apiVersion: 'v1', kind: 'P', metadata: { name: 'p' }, spec });
const pace = (): undefined => undefined;
const messagesOf = async (spec: Readonly<Record<string, Json>>, old?: ApiObject) =>
  (await policyExpressionErrors(policy(spec), old, [], pace)).map(({ field, message }) => `${field}: ${message}`);

test('later expressions know earlier variables and their types', async () => {
  const variables = [
    { name: 'n', expression: 'object.spec.replicas == 1' },
    { name: 'm', expression: 'variables.n && !variables.n' },
  ];
  expect(await messagesOf({ variables, validations: [{ expression: 'variables.m', messageExpression: 'string(variables.n)' }] })).toEqual(
    [],
  );
  expect((await messagesOf({ variables: [...variables].reverse() }))[0]).toContain(
    'spec.variables[0].expression: Invalid value: "variables.n && !variables.n": compilation failed: ERROR: <input>:1:10: undefined field \'n\'',
  );
  expect((await messagesOf({ validations: [{ expression: 'variables.n' }] }))[0]).toContain("undeclared reference to 'variables'");
});

test('params requires a paramKind, and message expressions have no authorizer', async () => {
  const validations = [{ expression: 'params.x', messageExpression: "authorizer.path('/a').check('get').reason()" }];
  const errors = await messagesOf({ validations });
  expect(errors[0]).toContain("undeclared reference to 'params'");
  expect(errors[1]).toContain("undeclared reference to 'authorizer'");
  expect(await messagesOf({ paramKind: { kind: 'C' }, validations: [{ expression: 'params.x == 1' }] })).toEqual([]);
});

test('a constant part that fails is an internal error', async () => {
  expect(await messagesOf({ validations: [{ expression: 'int("abc") == 1' }] })).toEqual([
    "spec.validations[0].expression: Internal error: program instantiation failed: type conversion error from 'string' to 'int'",
  ]);
});

test('mutations evaluate to an object or a list of operations', async () => {
  const mutations = [
    { applyConfiguration: { expression: 'Object{spec: Object.spec{replicas: 1}}' } },
    { jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/a"}]' } },
    { applyConfiguration: { expression: '{"spec": 1}' } },
    { jsonPatch: { expression: 'JSONPatch{op: "remove"}' } },
  ];
  expect(await messagesOf({ mutations })).toEqual([
    'spec.mutations[2].applyConfiguration.expression: Invalid value: "{\\"spec\\": 1}": must evaluate to Object but got map(string, int)',
    'spec.mutations[3].jsonPatch.expression: Invalid value: "JSONPatch{op: \\"remove\\"}": must evaluate to list(JSONPatch) but got JSONPatch',
  ]);
});

test('stored expressions may use functions of the newest release', async () => {
  const spec = { validations: [{ expression: '[1].sort() == [1]' }] };
  expect(await messagesOf(spec)).toHaveLength(1);
  expect(await messagesOf(spec, policy(spec))).toEqual([]);
});

test('match conditions of webhooks must be of type bool', async () => {
  const webhooks = [
    {
      matchConditions: [
        { expression: "request.operation == 'CREATE' && authorizer.requestResource.check('x').allowed()" },
        { expression: 'request.name' },
      ],
    },
  ];
  const errors = await webhookExpressionErrors({ apiVersion: 'v1', kind: 'W', metadata: { name: 'w' }, webhooks }, undefined, pace);
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'webhooks[0].matchConditions[1].expression: Invalid value: "request.name": must evaluate to bool but got string',
  ]);
});
