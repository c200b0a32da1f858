import { expect, test } from 'vitest';
import { type Json, productByName } from '../../meta/index.ts';
import { readAdmissionConfig } from './admission-config.ts';
import { readClusterTolerations } from './cluster-tolerations.ts';
import { readEventLimits } from './event-limits.ts';
import { readImagePolicyConfig } from './image-policy-config.ts';
import { readLimitedResources } from './limited-resources.ts';
import { readNodeSelectors } from './node-selectors.ts';
import { readWebhookAdmissionConfig } from './webhook-admission-config.ts';

const product = productByName('kubernetes');
const unread = (plugin: string, why: string): string => `couldn't init admission plugin "${plugin}": ${why}`;
const unregistered = (kind: string, version: string): string =>
  `no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:110"`;

const limitsVersion = 'eventratelimit.admission.k8s.io/v1alpha1';
const eventLimits = (limits: Json, apiVersion = limitsVersion): string =>
  JSON.stringify({ kind: 'Configuration', apiVersion, limits, unknown: 1 });

test('reads the limits of events', () => {
  expect(readEventLimits(eventLimits([{ type: 'User', qps: 5, burst: 9 }]), product)).toEqual([
    { type: 'User', qps: 5, burst: 9, cacheSize: 0 },
  ]);
  const svc = productByName('svc');
  expect(readEventLimits(eventLimits([{ type: 'Server', qps: 1, burst: 2 }], svc.rename(limitsVersion)), svc)).toHaveLength(1);
});

test.each([
  [undefined, 'limits: Invalid value: null: must not be empty'],
  [eventLimits([]), 'limits: Invalid value: []: must not be empty'],
  [eventLimits(null), 'limits: Invalid value: null: must not be empty'],
  [
    eventLimits([
      { type: 'X', burst: -1 },
      { type: 'User', qps: 1, burst: 1, cacheSize: -1 },
      { type: 'Server', qps: 1, burst: 1, cacheSize: -1 },
    ]),
    '[limits[0].type: Unsupported value: "X": supported values: "Server", "Namespace", "User", "SourceAndObject", limits[0].burst: Invalid value: -1: must be positive, limits[0].qps: Invalid value: 0: must be positive, limits[1].cacheSize: Invalid value: -1: must not be negative]',
  ],
  [eventLimits([{ qps: '1' }]), 'json: cannot unmarshal string into Go struct field Limit.limits.qps of type int32'],
  [eventLimits([], 'a/v1'), unregistered('Configuration', 'a/v1')],
  ['', "Object 'Kind' is missing in ''"],
  ['kind: Configuration', "Object 'apiVersion' is missing in 'kind: Configuration'"],
])('rejects the limits of events %j', (content, why) => {
  expect(() => readEventLimits(content, product)).toThrow(unread('EventRateLimit', why));
});

const tolerations = (more: object): string =>
  JSON.stringify({ kind: 'Configuration', apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1', ...more });

test('reads the tolerations of the cluster', () => {
  const [one, other] = [
    { key: 'a', operator: 'Exists' },
    { effect: 'NoExecute', operator: 'Exists', tolerationSeconds: 5 },
  ];
  expect(readClusterTolerations(tolerations({ default: [one], whitelist: [other] }), product)).toEqual({
    defaults: [one],
    whitelist: [other],
  });
  expect(readClusterTolerations(tolerations({}), product)).toEqual({ defaults: [], whitelist: [] });
});

test.each([
  [
    { default: [{ key: 'a', operator: 'X' }], whitelist: [{ operator: 'Exists', value: 'a' }] },
    'invalid config: [podtolerationrestriction.default[0].operator: Unsupported value: "X": supported values: "Equal", "Exists" podtolerationrestriction.whitelist[0].operator: Invalid value: "a": value must be empty when `operator` is \'Exists\']',
  ],
  [
    { default: [{ value: 'a' }] },
    'invalid config: [podtolerationrestriction.default[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"]',
  ],
  [{ default: [{ effect: 1 }] }, 'json: cannot unmarshal number into Go struct field Toleration.default.effect of type v1.TaintEffect'],
  [{ default: [{ key: 1 }] }, 'json: cannot unmarshal number into Go struct field Toleration.default.key of type string'],
])('rejects the tolerations of the cluster %j', (more, why) => {
  expect(() => readClusterTolerations(tolerations(more), product)).toThrow(unread('PodTolerationRestriction', why));
});

const limited = (limitedResources: Json, kind = 'ResourceQuotaConfiguration', apiVersion = 'apiserver.config.k8s.io/v1'): string =>
  JSON.stringify({ kind, apiVersion, limitedResources });

test('reads limited resources', () => {
  const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['high'] };
  const full = { apiGroup: 'apps', resource: 'deployments', matchContains: ['a'], matchScopes: [scope] };
  const expected = [full, { apiGroup: '', resource: 'pods', matchContains: [], matchScopes: [] }];
  expect(readLimitedResources(limited([full, { resource: 'pods' }]), product)).toEqual(expected);
  for (const version of ['v1beta1', 'v1alpha1'])
    expect(readLimitedResources(limited(null, 'Configuration', `resourcequota.admission.k8s.io/${version}`), product)).toEqual([]);
});

test.each([
  [limited([{}, { apiGroup: 'a' }]), '[limitedResources[0].resource: Required value, limitedResources[1].resource: Required value]'],
  [limited([{ resource: 'a', b: 1 }]), 'strict decoding error: unknown field "limitedResources[0].b"'],
  [limited([], 'Configuration'), unregistered('Configuration', 'apiserver.config.k8s.io/v1')],
])('rejects limited resources %j', (content, why) => {
  expect(() => readLimitedResources(content, product)).toThrow(unread('ResourceQuota', why));
});

test('reads the settings of image reviews, with defaults', () => {
  const read = (imagePolicy: object) => readImagePolicyConfig(JSON.stringify({ ImagePolicy: { kubeConfigFile: 'f', ...imagePolicy } }));
  const defaults = { kubeConfigFile: 'f', allowTtlMs: 300_000, denyTtlMs: 30_000, retryBackoffMs: 500, defaultAllow: false };
  expect(read({})).toEqual(defaults);
  expect(read({ allowttl: 7, denyTTL: -1, retryBackoff: 9, defaultAllow: true })).toEqual({
    kubeConfigFile: 'f',
    allowTtlMs: 7000,
    denyTtlMs: 0,
    retryBackoffMs: 9,
    defaultAllow: true,
  });
  expect(readImagePolicyConfig('imagePolicy:\n  kubeConfigFile: f\n---\nmore')).toEqual(defaults);
});

const withoutFile = 'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable';

test.each([
  [undefined, 'no config specified'],
  ['', 'EOF'],
  ['{}', withoutFile],
  ['imagePolicy: {allowTTL: 10000}', 'valid value is between 1s and 30m0s, got 2h46m40s'],
  ['imagePolicy: {retryBackoff: 300001}', 'valid value is between 1ns and 5m0s, got 5m0.001s'],
  ['imagePolicy: {denyTTL: -2}', 'valid value is between 1s and 30m0s, got -2s'],
  [
    'imagePolicy: 1',
    'json: cannot unmarshal number into Go struct field AdmissionConfig.imagePolicy of type imagepolicy.imagePolicyWebhookConfig',
  ],
  [
    'imagePolicy: {denyTTL: a}',
    'json: cannot unmarshal string into Go struct field imagePolicyWebhookConfig.imagePolicy.denyTTL of type time.Duration',
  ],
  ['imagePolicy: [', 'error converting YAML to JSON: yaml: line 1: did not find expected node content'],
])('rejects the settings of image reviews %j', (content, why) => {
  expect(() => readImagePolicyConfig(content)).toThrow(unread('ImagePolicyWebhook', why));
});

test('reads node selectors by namespace from all documents that it can read', () => {
  const documents = [
    'podNodeSelectorPluginConfig: {clusterDefaultNodeSelector: a=b, x: c=d, y: 5}',
    '[',
    'PodNodeSelectorPluginConfig: {x: e=f}',
  ];
  expect(readNodeSelectors(documents.join('\n---\n'))).toEqual({ clusterDefaultNodeSelector: 'a=b', x: 'e=f' });
  expect(readNodeSelectors('')).toEqual({});
});

const webhooks = (kubeConfigFile: string, kind = 'WebhookAdmissionConfiguration', version = 'v1'): string =>
  JSON.stringify({ kind, apiVersion: `apiserver.config.k8s.io/${version}`, kubeConfigFile });

test('reads the kubeconfig of webhooks, whose path is absolute', () => {
  const read = (content: string): string => readWebhookAdmissionConfig('ValidatingAdmissionWebhook', content, product);
  expect([read(webhooks('/a')), read(webhooks('/a', 'WebhookAdmission', 'v1alpha1'))]).toEqual(['/a', '/a']);
  const relative = 'kubeConfigFile: Invalid value: "a": must be an absolute file path';
  expect(() => read(webhooks('a'))).toThrow(unread('ValidatingAdmissionWebhook', relative));
  const kind = unregistered('WebhookAdmission', 'apiserver.config.k8s.io/v1');
  expect(() => read(webhooks('/a', 'WebhookAdmission'))).toThrow(unread('ValidatingAdmissionWebhook', kind));
});

test('the whole file may be the settings of two plugins, as before there was a kind for it', () => {
  const content = 'podNodeSelectorPluginConfig: {a: b=c}';
  expect(readAdmissionConfig(content, product)).toEqual([
    { plugin: 'ImagePolicyWebhook', content, path: '' },
    { plugin: 'PodNodeSelector', content, path: '' },
  ]);
  expect(readAdmissionConfig('imagePolicy: {}\nkind: X', product)).toHaveLength(2);
  expect(() => readAdmissionConfig('other: {}', product)).toThrow("failed to read plugin config: Object 'Kind' is missing in 'other: {}'");
});

test('the file may have the former version', () => {
  const file = { kind: 'AdmissionConfiguration', apiVersion: 'apiserver.k8s.io/v1alpha1', plugins: [{ name: 'a', path: 'b' }] };
  expect(readAdmissionConfig(JSON.stringify(file), product)).toEqual([{ plugin: 'a', content: undefined, path: 'b' }]);
});
