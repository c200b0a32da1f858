import { expect, test } from 'vitest';
import { createMemoryLog } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import { readAuthenticationConfig } from '../access/authentication-config.ts';
import { readAuthorizationConfig } from '../access/authorization-config.ts';
import { readAdmissionConfig } from '../admission/admission-config.ts';
import { readPodSecurityConfig } from '../admission/pod-security-config.ts';
import { readAuditPolicyFile } from '../audit/audit-policy.ts';

const product = productByName('kubernetes');
const struct = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: ';

test.each([
  ['{', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ['[]', `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${struct}`],
  ['a: b: c', 'yaml: mapping values are not allowed in this context'],
  ['null', "Object 'Kind' is missing in 'null'"],
  ['kind: [a]', "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go struct field .kind of type string"],
  [
    'apiVersion: {}\nkind: a',
    "couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .apiVersion of type string",
  ],
  ['apiVersion: a/b/c', 'unexpected GroupVersion string: a/b/c'],
  [
    'apiVersion: /v1\nkind: AuthorizationConfiguration',
    'no kind "AuthorizationConfiguration" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
  ],
  [`${head}Other`, 'no kind "Other" is registered for version "apiserver.config.k8s.io/v1" in scheme "pkg/runtime/scheme.go:110"'],
  [`${head}TracingConfiguration\nauthorizers: []`, 'strict decoding error: unknown field "authorizers"'],
  [`${head}TracingConfiguration`, 'expected AuthorizationConfiguration, got *apiserver.TracingConfiguration'],
  [
    `${head}AuthorizationConfiguration\nauthorizers: [{type: Webhook, name: a, webhook: {timeout: x, connectionInfo: {type: InClusterConfig}}}]`,
    'time: invalid duration "x"',
  ],
])('rejects a configuration %j with the real server’s message', (content, why) => {
  const message = `failed to load AuthorizationConfiguration from file: ${why}`;
  expect(() => readAuthorizationConfig(content, product, () => undefined)).toThrow(message);
});

test.each(['v1', 'v1beta1', 'v1alpha1'])('names the Go types of the version %s in errors', (version) => {
  const content = `apiVersion: apiserver.config.k8s.io/${version}\nkind: AuthenticationConfiguration\nanonymous: x`;
  expect(() => readAuthenticationConfig(content, 'authn.yaml', product)).toThrow(
    `cannot unmarshal string into Go struct field AuthenticationConfiguration.anonymous of type ${version}.AnonymousAuthConfig`,
  );
});

test.each([
  ['kind: Policy', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['', 'unknown group version field audit.k8s.io/__internal, Kind=Policy in policy'],
  ['apiVersion: audit.k8s.io/v1\nkind: Event', 'failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion'],
  ['apiVersion: v1', 'failed decoding: no kind "Policy" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"'],
  ['apiVersion: a/b/c\nkind: Policy', 'failed decoding: unexpected GroupVersion string: a/b/c'],
  ['1', `failed decoding: couldn't get version/kind; json parse error: json: cannot unmarshal number into Go value of type ${struct}`],
])('rejects an audit policy %j with the real server’s message', (content, message) => {
  expect(() => readAuditPolicyFile(content, product, createMemoryLog())).toThrow(message);
});

test('accepts an audit policy without kind, and ignores and logs unknown fields', () => {
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
])('rejects an admission configuration %j', (text, message) => {
  expect(() => readAdmissionConfig(text, productByName('kubernetes'))).toThrow(message);
  expect(() =>
    readAdmissionConfig(configuration('plugins: [{name: a, configuration: {b: 1}}]'), productByName('kubernetes')),
  ).not.toThrow();
});

test('uses the first of several settings of a plugin', () => {
  const plugins = 'plugins: [{name: a, configuration: {c: 2, b: 1}}, {name: b, path: b.yaml}, {name: a, path: x}]';
  expect(readAdmissionConfig(configuration(plugins), product)).toEqual([
    { plugin: 'a', content: '{"b":1,"c":2}', path: '' },
    { plugin: 'b', content: undefined, path: 'b.yaml' },
  ]);
});

const podSecurity = (more: object): string =>
  JSON.stringify({ kind: 'PodSecurityConfiguration', apiVersion: 'pod-security.admission.config.k8s.io/v1', ...more });
const uninitialized = 'failed to initialize admission plugin "PodSecurity": PodSecurity';
const unread = `couldn't init admission plugin "PodSecurity": `;

test.each([
  [
    podSecurity({ defaults: { enforce: 5 } }),
    `${unread}json: cannot unmarshal number into Go struct field PodSecurityDefaults.defaults.enforce of type string`,
  ],
  [
    podSecurity({ defaulter: {}, defaults: { enforcer: 'a' } }),
    `${unread}strict decoding error: unknown field "defaulter", unknown field "defaults.enforcer"`,
  ],
  ['{"defaults":{}}', `${unread}Object 'Kind' is missing in '{"defaults":{}}'`],
  [
    podSecurity({}).replace('/v1', '/v2'),
    `${unread}no kind "PodSecurityConfiguration" is registered for version "pod-security.admission.config.k8s.io/v2" in scheme "pkg/runtime/scheme.go:110"`,
  ],
  [
    podSecurity({ defaults: { enforce: 'bad', 'warn-version': 'v1.x' } }),
    `${uninitialized} configuration error: [enforce: must be one of privileged, baseline, restricted, warn-version: must be "latest" or "v1.x"]`,
  ],
  [
    podSecurity({ exemptions: { usernames: ['', 'a', 'a'], namespaces: ['x', 'x'] } }),
    `${uninitialized} invalid: [exemptions.namespaces[1]: Duplicate value: "x", exemptions.usernames[0]: Invalid value: "": username must not be empty, exemptions.usernames[2]: Duplicate value: "a"]`,
  ],
])('rejects Pod Security settings %j', (text, message) => {
  expect(() => readPodSecurityConfig(text, product)).toThrow(message);
});

test('reads Pod Security settings, with defaults for missing ones', () => {
  const { defaults, exempt } = readPodSecurityConfig(
    podSecurity({ defaults: { enforce: 'baseline', 'enforce-version': 'v1.30' }, exemptions: { usernames: ['a'] } }),
    product,
  );
  expect(defaults).toEqual({
    enforce: { level: 'baseline', minor: 30 },
    audit: { level: 'privileged', minor: Number.POSITIVE_INFINITY },
    warn: { level: 'privileged', minor: Number.POSITIVE_INFINITY },
  });
  expect(exempt).toEqual({ usernames: ['a'], namespaces: [], runtimeClasses: [] });
});
