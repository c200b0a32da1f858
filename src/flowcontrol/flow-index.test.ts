import { expect, test } from 'vitest';
import { resourceAttributes } from '../authz/index.ts';
import type { ApiObject } from '../meta/index.ts';
import { FlowIndex } from './flow-index.ts';

const everywhere = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] };

function schema(name: string, matchingPrecedence: number, rule: object, level = 'low'): ApiObject {
  const spec = { matchingPrecedence, priorityLevelConfiguration: { name: level }, rules: [rule] };
  return { kind: 'FlowSchema', metadata: { name, uid: `u-${name}` }, spec } as unknown as ApiObject;
}

function indexOf(...schemas: readonly ApiObject[]): FlowIndex {
  const index = new FlowIndex();
  index.changeLevel('low', { kind: 'PriorityLevelConfiguration', metadata: { uid: 'u-low' } } as unknown as ApiObject);
  for (const one of schemas) index.changeSchema(one.metadata.name ?? '', one);
  return index;
}

const pods = (username: string, groups: readonly string[], namespace = 'ns') =>
  resourceAttributes({ username, uid: '', groups, extra: {} }, { verb: 'get', group: '', resource: 'pods', namespace });
const group = (name: string) => ({ kind: 'Group', group: { name } });

test('the schema of the smallest precedence that fits decides, of equal ones the first by name', () => {
  const rule = { subjects: [group('devs')], resourceRules: [everywhere] };
  const index = indexOf(
    schema('c', 5, rule),
    schema('b', 5, rule),
    schema('a', 9, rule),
    schema('d', 1, { ...rule, subjects: [group('ops')] }),
  );
  expect(index.flowOf(pods('alice', ['devs']))).toEqual({
    schema: 'b',
    schemaUid: 'u-b',
    level: 'low',
    levelUid: 'u-low',
    distinguisher: '',
  });
  index.changeSchema('b', undefined);
  expect(index.flowOf(pods('alice', ['devs']))?.schemaUid).toBe('u-c');
  expect(index.flowOf(pods('carol', []))).toBeUndefined();
});

test('a schema without its level is passed over', () => {
  const rule = { subjects: [group('*')], resourceRules: [everywhere] };
  expect(indexOf(schema('a', 1, rule, 'missing'), schema('b', 2, rule)).flowOf(pods('x', []))?.schemaUid).toBe('u-b');
});

test('matches service accounts by name or by namespace', () => {
  const of = (name: string): FlowIndex =>
    indexOf(
      schema('a', 1, { subjects: [{ kind: 'ServiceAccount', serviceAccount: { namespace: 'ns', name } }], resourceRules: [everywhere] }),
    );
  expect(of('*').flowOf(pods('system:serviceaccount:ns:any', []))).toBeDefined();
  expect(of('one').flowOf(pods('system:serviceaccount:ns:two', []))).toBeUndefined();
});

test('a request without a namespace matches only cluster-scoped rules', () => {
  const rule = { subjects: [group('*')], resourceRules: [{ ...everywhere, clusterScope: false }] };
  const index = indexOf(schema('a', 1, rule));
  expect([index.flowOf(pods('x', [])), index.flowOf(pods('x', [], ''))]).toMatchObject([
    { schemaUid: 'u-a', levelUid: 'u-low' },
    undefined,
  ]);
});

test('matches paths exactly or by prefix', () => {
  const index = indexOf(
    schema('a', 1, { subjects: [group('*')], nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/livez', '/healthz/*'] }] }),
  );
  const at = (path: string, verb = 'get') => index.flowOf({ ...pods('x', [], ''), isResourceRequest: false, path, verb });
  expect([at('/livez'), at('/livez/ping'), at('/healthz/ping'), at('/livez', 'post')].map((flow) => flow !== undefined)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test.each([
  ['ByUser', 'alice'],
  ['ByNamespace', 'ns'],
  [undefined, ''],
])('the distinguisher of method %s is %j', (type, distinguisher) => {
  const object = schema('a', 1, { subjects: [group('*')], resourceRules: [everywhere] });
  const spec = { ...(object['spec'] as object), ...(type === undefined ? {} : { distinguisherMethod: { type } }) };
  expect(indexOf({ ...object, spec } as unknown as ApiObject).flowOf(pods('alice', []))?.distinguisher).toBe(distinguisher);
});
