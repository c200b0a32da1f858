import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { readAuthorizationConfig } from './authorization-config.ts';

const product = productByName('kubernetes');
const file = (authorizers: unknown, more: object = {}): string =>
  JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers, ...more });
const read = (text: string) =>
  readAuthorizationConfig(text, product, (path) => (path === '/hook' ? undefined : 'error loading file: not found'));
const hook = (changes: object = {}) => ({
  type: 'Webhook',
  name: 'hook',
  webhook: {
    timeout: '3s',
    subjectAccessReviewVersion: 'v1',
    matchConditionSubjectAccessReviewVersion: 'v1',
    failurePolicy: 'Deny',
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/hook' },
    ...changes,
  },
});

test('applies webhook defaults, and disables caches as configured', () => {
  expect(
    read(file([{ type: 'RBAC', name: 'rbac' }, hook({ cacheUnauthorizedRequests: false, matchConditions: [{ expression: 'true' }] })])),
  ).toEqual([
    { type: 'RBAC', name: 'rbac' },
    {
      type: 'Webhook',
      name: 'hook',
      webhook: {
        authorizedTtlMs: 300_000,
        unauthorizedTtlMs: 0,
        timeoutMs: 3_000,
        version: 'v1',
        failurePolicy: 'Deny',
        matchConditions: ['true'],
        kubeConfigFile: '/hook',
      },
    },
  ]);
});

test('accepts YAML', () => {
  const text = 'apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthorizationConfiguration\nauthorizers:\n- {type: Node, name: node}\n';
  expect(read(text)).toEqual([{ type: 'Node', name: 'node' }]);
});

test.each<[unknown, string]>([
  [[], 'authorizers: Required value: at least one authorization mode must be defined'],
  [[{ name: 'x' }], 'authorizers[0].type: Required value'],
  [[{ type: 'RBAC', name: 'roles' }], 'expected name rbac for authorizer RBAC instead of roles'],
  [
    [{ type: 'RBAC', name: 'rbac', webhook: {} }],
    'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
  ],
  [[hook({ timeout: '31s' })], 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s'],
  [[hook({ authorizedTTL: '-1s' })], 'authorizers[0].authorizedTTL: Invalid value: "-1s": must be > 0s'],
  [
    [hook({ matchConditionSubjectAccessReviewVersion: '', matchConditions: [{ expression: 'true' }] })],
    'authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified',
  ],
  [
    [hook({ connectionInfo: { type: 'InClusterConfig', kubeConfigFile: '/x' } })],
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/x": can only be set when type=KubeConfigFile',
  ],
  [[hook({ connectionInfo: { type: 'KubeConfigFile' } })], 'authorizers[0].connectionInfo.kubeConfigFile: Required value'],
  [
    [hook({ connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/y' } })],
    'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/y": error loading file: not found',
  ],
  [
    [hook({ matchConditions: [{ expression: 'request.user' }, { expression: ' ' }] })],
    '[authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string, authorizers[0].matchConditions[1].expression: Required value]',
  ],
])('rejects %j', (authorizers, message) => {
  expect(() => read(file(authorizers))).toThrow(message);
});

test.each<[string, string]>([
  ['', 'authorizers: Required value: at least one authorization mode must be defined'],
  [
    '{"kind":"AuthorizationConfiguration"}',
    'failed to load AuthorizationConfiguration from file: Object \'apiVersion\' is missing in \'{"kind":"AuthorizationConfiguration"}\'',
  ],
  [file([], { nonsense: 1 }), 'failed to load AuthorizationConfiguration from file: strict decoding error: unknown field "nonsense"'],
  [
    file([{ type: 1 }]),
    'failed to load AuthorizationConfiguration from file: json: cannot unmarshal number into Go struct field AuthorizerConfiguration.authorizers.type of type string',
  ],
  [
    '{"apiVersion":"apiserver.config.k8s.io/v1","kind":"TracingConfiguration"}',
    'expected AuthorizationConfiguration, got *apiserver.TracingConfiguration',
  ],
])('rejects the file %s', (text, message) => {
  expect(() => read(text)).toThrow(message);
});
