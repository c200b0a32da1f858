import { expect, test } from 'vitest';
import {
  type AccessAttributes,
  type AccessLookup,
  authorizerType,
  authorizerValue,
  CompileError,
  compileExpression,
  dynType,
  type EnvironmentOptions,
  environments,
  evaluateWithLookups,
  Failure,
  jsonOf,
  misnamedTypes,
  parseType,
  plainValueOf,
  readSchema,
  requestStructs,
  type Value,
  type Variables,
} from './index.ts';

const set = environments({ patches: true });

function evaluate(source: string, declared: EnvironmentOptions, variables: Variables): unknown {
  return compileExpression(source, set.extend('new', declared)).evaluate(variables).result;
}

function compileError(source: string, declared: EnvironmentOptions = {}): string {
  try {
    compileExpression(source, set.extend('new', declared));
  } catch (error) {
    if (error instanceof CompileError) return error.message;
    throw error;
  }
  return '';
}

const object: EnvironmentOptions = { variables: [['object', dynType]] };
const deployment = plainValueOf({ spec: { replicas: 3 }, metadata: { labels: { 'a/b': 'x' } } });

test('patches are created as objects of any fields', () => {
  const source = 'Object{spec: Object.spec{replicas: object.spec.replicas + 1, template: Object.spec.template{names: ["a"]}}}';
  const made = evaluate(source, object, () => deployment) as Value;
  expect(jsonOf(made)).toEqual({ spec: { replicas: 4n, template: { names: ['a'] } } });
  expect(misnamedTypes(made, 'Object')).toEqual([]);
});

test('reports an object type with the name of another path', () => {
  const made = evaluate('Object{spec: Object.status{}}', {}, () => undefined) as Value;
  expect(misnamedTypes(made, 'Object')).toEqual([
    'unexpected type name "Object.status", expected "Object.spec", which matches field name path from root Object type',
  ]);
});

test('operations of a JSON Patch have four fields, and keys can be escaped', () => {
  const source = '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b~c"), value: {"k": [1]}}]';
  expect(jsonOf(evaluate(source, {}, () => undefined) as Value)).toEqual([
    { op: 'add', path: '/metadata/labels/a~1b~0c', value: { k: [1n] } },
  ]);
  expect(compileError('JSONPatch{operation: "add"}')).toContain("undefined field 'operation'");
  expect(compileError('JSONPatch{op: 1}')).toContain("expected type of field 'op' is 'string' but provided type is 'int'");
});

test('only mutating policies have these types', () => {
  expect(() => compileExpression('Object{}', environments().extend('new', {}))).toThrow("undeclared reference to 'Object'");
});

const authorizer: EnvironmentOptions = { variables: [['authorizer', authorizerType]] };

test('authorizer checks are built step by step', () => {
  const lookups: AccessAttributes[] = [];
  const source =
    "authorizer.serviceAccount('ns', 'sa').group('apps').resource('deployments').subresource('scale').namespace('n').name('x').check('update').reason()";
  const value = authorizerValue((attributes) => {
    lookups.push(attributes);
    return { allowed: true, reason: 'because' };
  });
  expect(evaluate(source, authorizer, () => value)).toBe('because');
  expect(lookups).toEqual([
    {
      verb: 'update',
      group: 'apps',
      resource: 'deployments',
      subresource: 'scale',
      namespace: 'n',
      name: 'x',
      serviceAccount: { namespace: 'ns', name: 'sa' },
    },
  ]);
});

test('authorizer checks can be asynchronous', async () => {
  const source =
    "authorizer.path('/a').check('get').allowed() && !authorizer.path('/b').check('get').allowed() && authorizer.path('/a').check('get').allowed()";
  const expression = compileExpression(source, set.extend('new', authorizer));
  const lookups: string[] = [];
  const outcome = await evaluateWithLookups(
    (lookup: AccessLookup) => expression.evaluate(() => authorizerValue(lookup), 10_000_000),
    async ({ path = '' }: AccessAttributes) => {
      lookups.push(path);
      return { allowed: path === '/a', reason: '' };
    },
  );
  expect(outcome.result).toBe(true);
  expect(lookups).toEqual(['/a', '/b']);
  expect(outcome.cost).toBe(3 * 350_000 + 10);
});

test('more than two authorizer checks exceed the cost limit', () => {
  const check = "authorizer.path('/a').check('get').allowed()";
  const value = authorizerValue(() => ({ allowed: true, reason: '' }));
  const result = evaluate(`${check} && ${check} && ${check}`, authorizer, () => value);
  expect(result).toEqual(new Failure('operation cancelled: actual cost limit exceeded'));
});

test('requests have the fields of the upstream types', () => {
  const declared: EnvironmentOptions = { variables: [['request', parseType('AdmissionRequest')]], structs: requestStructs() };
  const request = plainValueOf({ kind: { kind: 'Pod' }, userInfo: { groups: ['a'] } });
  expect(evaluate("request.kind.kind == 'Pod' && 'a' in request.userInfo.groups", declared, () => request)).toBe(true);
  expect(compileError('request.userName', declared)).toContain("undefined field 'userName'");
  expect(compileError('request.kind + 1', declared)).toContain("applied to '(kubernetes.GroupVersionKind, int)'");
});

test('extensions of a schema may have another prefix', () => {
  const rule = { rule: 'self.size() > 1' };
  const written = {
    type: 'object',
    properties: { 'x-svc-list-type': { type: 'string' }, l: { type: 'array', 'x-svc-validations': [rule] } },
  };
  expect(readSchema(written, 'x-svc-')).toEqual({
    type: 'object',
    properties: { 'x-svc-list-type': { type: 'string' }, l: { type: 'array', 'x-kubernetes-validations': [rule] } },
  });
});
