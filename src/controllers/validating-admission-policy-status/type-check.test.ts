import { expect, test } from 'vitest';
import { readSchema } from '../../cel/index.ts';
import type { JsonObject } from '../../meta/index.ts';
import type { DiscoveredResource } from '../discovered-resources.ts';
import { populateRefs } from './populate-refs.ts';
import { checkPolicy } from './type-check.ts';
import { typesToCheck } from './types-to-check.ts';

const text = { type: 'string' };

const schemas: JsonObject = {
  Meta: { type: 'object', properties: { name: text, generateName: text, created: { type: 'string', format: 'date-time' } } },
  Port: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  Tree: { type: 'object', properties: { size: { type: 'integer' }, child: { $ref: '#/components/schemas/Tree' } } },
  Widget: {
    type: 'object',
    properties: {
      kind: text,
      apiVersion: text,
      metadata: { allOf: [{ $ref: '#/components/schemas/Meta' }], description: 'metadata', default: {} },
      spec: {
        type: 'object',
        properties: {
          replicas: { type: 'integer' },
          port: { $ref: '#/components/schemas/Port' },
          tree: { $ref: '#/components/schemas/Tree' },
          labels: { type: 'object', additionalProperties: { type: 'string' } },
          names: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};
const schema = readSchema(populateRefs(schemas['Widget'] as JsonObject, schemas), 'x-kubernetes-');
const widget = { kind: { group: 'g.io', version: 'v1', kind: 'Widget' }, schema };
const kinds = { kinds: [widget], params: undefined, nowMs: 7 };

const warningsOf = (expression: string, further: Partial<typeof kinds> = {}): readonly string[] =>
  checkPolicy({ validations: [{ expression }] }, { ...kinds, ...further }).map(({ warning = '' }) => warning);

test.each([
  'object.spec.replicas > 1',
  "object.metadata.name == 'a' && object.metadata.created < timestamp('2020-01-01T00:00:00Z')",
  "object.spec.port == 1 || object.spec.port == 'http'",
  "object.spec.labels['a'] == 'b' && object.spec.names.exists(n, n == 'x')",
  "request.userInfo.username == 'a' && namespaceObject.metadata.name == 'b' && oldObject == null",
  "authorizer.group('').resource('pods').check('get').allowed()",
])('accepts %s', (expression) => {
  expect(warningsOf(expression)).toEqual([]);
});

test.each([
  [
    "object.spec.replicas > '1'",
    "1:22: found no matching overload for '_>_' applied to '(int, string)'\n | object.spec.replicas > '1'\n | .....................^\n",
  ],
  ['object.nope == 1', "1:7: undefined field 'nope'\n | object.nope == 1\n | ......^\n"],
  ['object.spec.tree.child.size == 1', "1:23: undefined field 'size'\n | object.spec.tree.child.size == 1\n | ......................^\n"],
  ['params.a == 1', "1:1: undeclared reference to 'params' (in container '')\n | params.a == 1\n | ^\n"],
])('warns about %s', (expression, warning) => {
  expect(warningsOf(expression)).toEqual([`g.io/v1, Kind=Widget: ERROR: <input>:${warning}`]);
});

test('types params, variables and message expressions', () => {
  const variables = [
    { name: 'count', expression: 'object.spec.replicas' },
    { name: 'double', expression: 'variables.count * 2' },
  ];
  const warnings = checkPolicy(
    {
      variables,
      validations: [
        { expression: 'variables.double > params.spec.replicas', messageExpression: 'string(variables.count)' },
        { expression: "variables.double == 'a'", messageExpression: 'variables.none' },
      ],
    },
    { ...kinds, params: widget },
  );
  expect(warnings.map(({ fieldRef }) => fieldRef)).toEqual(['spec.validations[1].expression', 'spec.validations[1].messageExpression']);
  expect(warnings[0]?.warning).toContain("applied to '(int, string)'");
  expect(warnings[1]?.warning).toContain("undefined field 'none'");
});

test('joins the warnings of all kinds', () => {
  const gadget = { kind: { group: '', version: 'v1', kind: 'Gadget' }, schema: { type: 'object' } };
  const [warning = ''] = warningsOf("object.spec.replicas == ''", { kinds: [gadget, widget] });
  expect(warning).toMatch(/^\/v1, Kind=Gadget: ERROR: [\s\S]*\n\ng\.io\/v1, Kind=Widget: ERROR: [\s\S]*\^\n$/);
});

const resource = (group: string, version: string, name: string, kind: string): DiscoveredResource => ({
  ...{ group, version, name, kind, namespaced: true, verbs: [], isPreferred: true },
});
const known = [
  resource('apps', 'v1', 'deployments', 'Deployment'),
  resource('apps', 'v1', 'daemonsets', 'DaemonSet'),
  resource('', 'v1', 'pods', 'Pod'),
];

test.each([
  [
    'sorted kinds',
    [{ apiGroups: ['apps', ''], apiVersions: ['v1'], resources: ['pods', 'deployments', 'daemonsets'] }],
    ['Pod', 'DaemonSet', 'Deployment'],
  ],
  ['no kinds of wildcard groups', [{ apiGroups: ['*'], apiVersions: ['v1'], resources: ['pods'] }], []],
  ['no kinds of wildcard versions', [{ apiGroups: [''], apiVersions: ['*'], resources: ['pods'] }], []],
  ['no wildcards and subresources', [{ apiGroups: [''], apiVersions: ['v1'], resources: ['*', 'pods/status', 'pods'] }], ['Pod']],
  ['known resources', [{ apiGroups: [''], apiVersions: ['v1', 'v2'], resources: ['pods', 'nopes'] }], ['Pod']],
  [
    'each kind once',
    [
      { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
      { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
    ],
    ['Pod'],
  ],
])('checks %s', (_, rules, expected) => {
  expect(typesToCheck(rules, known).map(({ kind }) => kind)).toEqual(expected);
});

test('checks at most ten kinds', () => {
  const many = Array.from({ length: 12 }, (_, index) => resource('', 'v1', `r${index}`, `K${index}`));
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: many.map(({ name }) => name) };
  expect(typesToCheck([rule], many)).toHaveLength(10);
});
