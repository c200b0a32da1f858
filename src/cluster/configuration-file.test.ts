import { expect, test } from 'vitest';
import { createMemoryLog } from '../env/index.ts';
import { productNamed } from '../meta/index.ts';
import { checkAdmissionConfig } from './admission-config.ts';
import { readAuditPolicyFile } from './audit-policy.ts';
import { readAuthorizationConfig } from './authorization-config.ts';

const product = productNamed('kubernetes');
const struct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: ';

test.each([
  ['{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ['[]', `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${struct}`],
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['null', "Object 'Kind' is missing in 'null'"],
  [`${head}Other`, 'no kind "Other" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:110"'],
  [`${head}TracingConfiguration\nauthorizers: []`, 'strict decoding error: unknown field "authorizers"'],
  [`${head}TracingConfiguration`, 'expected AuthorizationConfiguration, got *apiserver.TracingConfiguration'],
  [
    `${head}AuthorizationConfiguration\nauthorizers: [{type: Webhook, name: a, webhook: {timeout: x, connectionInfo: {type: InClusterConfig}}}]`,
    'time: invalid duration "x"',
  ],
])('a configuration %j is refused in the real server’s words', (content, why) => {
  const message = `failed to load AuthorizationConfiguration from file: ${why}`;
  expect(() => readAuthorizationConfig(content, product, () => undefined)).toThrow(message);
});

test.each([
  ['kind: Policy', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['apiVersion: audit.k8s.io/v1\nkind: Event', 'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion'],
  ['apiVersion: a/b/c\nkind: Policy', 'failed decoding: unexpected GroupVersion string: a/b/c'],
  ['1', `failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go value of type ${struct}`],
])('an audit policy %j is refused in the real server’s words', (content, message) => {
  expect(() => readAuditPolicyFile(content, product, createMemoryLog())).toThrow(message);
});

test('an audit policy need not say its kind, and fields that nobody knows are passed over and logged', () => {
  const log = createMemoryLog();
  const policy = readAuditPolicyFile('apiVersion: audit.k8s.io/v1\nrules: [{level: Metadata, level2: x}]', product, log);
  expect(policy.rules.map(({ level }) => level)).toEqual(['Metadata']);
  expect(log.lines).toMatchObject([{ level: 'warn', details: { unknown: ['unknown field "rules[0].level2"'] } }]);
});

const configuration = (more: string): string => `apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\n${more}`;

test.each([
  ['', "Object 'Kind' is missing in ''"],
  [configuration('foo: 1'), 'strict decoding error: unknown field "foo"'],
  [configuration('plugins: []\nplugins: []'), 'strict decoding error: yaml: unmarshal errors:\n  line 4: key "plugins" already set in map'],
  [
    configuration('plugins: [{path: 5, name: []}]'),
    'json: cannot unmarshal array into Go struct field AdmissionPluginConfiguration.plugins.name of type string',
  ],
  [
    configuration('').replace('Admission', 'X'),
    'no kind "XConfiguration" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:110"',
  ],
])('an admission configuration %j is refused', (text, message) => {
  expect(() => checkAdmissionConfig(text, productNamed('kubernetes'))).toThrow(message);
  expect(() =>
    checkAdmissionConfig(configuration('plugins: [{name: a, configuration: {b: 1}}]'), productNamed('kubernetes')),
  ).not.toThrow();
});
