import { expect, test } from 'vitest';
import { createFeatureGates, type JsonObject, productByName } from '../../../../meta/index.ts';
import { createCatalog } from '../../../catalog.ts';
import { createInternalFormatter } from '../../internal/internal-formatter.ts';
import { validatePodSpec } from './pod-spec.ts';
import { validatePodStatusUpdate } from './pod-status.ts';

const product = productByName('kubernetes');
const internal = createInternalFormatter(createCatalog(product).type);

/** The errors of a valid spec with these members added to it and to its container. */
function errorsOf(spec: JsonObject, container: JsonObject = {}, gates = '', allowPrivileged = true): readonly string[] {
  const context = {
    rename: (text: string): string => text,
    names: product.names,
    gates: createFeatureGates(gates),
    internal,
    checkDeviceSelector: (): undefined => undefined,
    allowPrivileged,
  };
  const usual = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always', ...container };
  const whole = { restartPolicy: 'Always', dnsPolicy: 'Default', terminationGracePeriodSeconds: 30, containers: [usual], ...spec };
  return validatePodSpec(whole, 'spec', context).map(({ field, message }) => `${field}: ${message}`);
}

const projected = (...sources: readonly JsonObject[]): JsonObject => ({ volumes: [{ name: 'v', projected: { sources } }] });
const restartable = (exitCodes: JsonObject): JsonObject => ({ action: 'Restart', exitCodes });

test('restart rules require a policy, an action, and exit codes with an operator', () => {
  const rules = [{ action: 'Stop' }, restartable({ operator: 'Is', values: [1] })];
  expect(errorsOf({}, { restartPolicyRules: rules })).toEqual([
    'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
    'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart"',
    'spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified',
    'spec.containers[0].restartPolicyRules[1].exitCodes.operator: Unsupported value: "Is": supported values: "In", "NotIn"',
  ]);
  expect(errorsOf({}, { restartPolicy: 'Never', restartPolicyRules: Array(21).fill(restartable({ operator: 'In' })) })).toEqual([
    'spec.containers[0].restartPolicyRules: Too long: may not be more than 20 bytes',
  ]);
});

test('a sidecar has no restart rules, an init container may have its own policy', () => {
  const init = (restartPolicy: string): JsonObject => ({
    initContainers: [
      {
        ...{ name: 'i', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' },
        restartPolicy,
        restartPolicyRules: [restartable({ operator: 'In', values: [1] })],
      },
    ],
  });
  expect(errorsOf(init('Always'))).toEqual([
    'spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always',
  ]);
  expect(errorsOf(init('OnFailure'))).toEqual([]);
});

test('a container that terminated by its restart rules does not run again', () => {
  const rules = [restartable({ operator: 'In', values: [42] })];
  const state = (exitCode?: number): JsonObject => ({
    spec: { restartPolicy: 'Always', containers: [{ name: 'c', restartPolicy: 'Never', restartPolicyRules: rules }] },
    status: { containerStatuses: [{ name: 'c', state: exitCode === undefined ? { running: {} } : { terminated: { exitCode } } }] },
  });
  const on = createFeatureGates('ContainerRestartRules=true');
  expect(validatePodStatusUpdate(state(), state(42), on)).toEqual([]);
  expect(validatePodStatusUpdate(state(), state(1), on).map(({ field }) => field)).toEqual(['status.containerStatuses[0].state']);
  expect(validatePodStatusUpdate(state(), state(1), createFeatureGates())).toEqual([]);
});

test('stop signals depend on the operating system, which must be set', () => {
  const container = { lifecycle: { stopSignal: 'SIGRTMAX-14' } };
  expect(errorsOf({}, container)).toEqual([
    'spec.containers[0].lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`',
  ]);
  expect(errorsOf({ os: { name: 'linux' } }, container)).toEqual([]);
  expect(errorsOf({ os: { name: 'windows' } }, container)).toEqual([
    'spec.containers[0].lifecycle.stopSignal: Unsupported value: "SIGRTMAX-14": supported values: "SIGKILL", "SIGTERM"',
  ]);
  expect(errorsOf({ os: { name: 'linux' } }, { lifecycle: { stopSignal: 'HUP' } })[0]).toContain(
    '"SIGRTMAX", "SIGRTMAX-1", "SIGRTMAX-10", "SIGRTMAX-11"',
  );
});

test('hostnameOverride is a domain of at most 64 characters, and excludes hostNetwork', () => {
  expect(errorsOf({ hostnameOverride: `${'a'.repeat(64)}_`, setHostnameAsFQDN: true, hostNetwork: true })).toEqual([
    'spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true',
    'spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true',
    'spec.hostnameOverride: Too long: may not be more than 64 bytes',
    expect.stringContaining('spec.hostnameOverride: Invalid value: "aaa'),
  ]);
});

test('fileKeyRef requires an emptyDir volume of the pod', () => {
  const variable = (fileKeyRef: JsonObject): JsonObject => ({ env: [{ name: 'A', valueFrom: { fileKeyRef } }] });
  const at = 'spec.containers[0].env[0].valueFrom.fileKeyRef';
  expect(errorsOf({}, variable({ key: '', path: '../a' }))).toEqual([
    `${at}.key: Required value`,
    `${at}.volumeName: Required value`,
    `${at}.path: Invalid value: "../a": must not contain '..'`,
    `${at}.volumeName: Not found: ""`,
  ]);
  const reference = variable({ key: 'A', volumeName: 'v', path: 'a' });
  expect(errorsOf({ volumes: [{ name: 'v', hostPath: { path: '/a' } }] }, reference)).toEqual([
    `${at}.volumeName: Invalid value: "v": referenced volume must be of type emptyDir`,
  ]);
  expect(errorsOf({ volumes: [{ name: 'v', emptyDir: {} }] }, reference)).toEqual([]);
  const none = { env: [{ name: 'A', valueFrom: {} }] };
  expect(errorsOf({}, none, 'EnvFiles=true')[0]).toContain('`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`');
  expect(errorsOf({}, none)[0]).toContain('`configMapKeyRef` or `secretKeyRef`');
});

const source = 'spec.volumes[0].projected.sources[0]';

test('a clusterTrustBundle is selected by name or by signer', () => {
  const bundle = (clusterTrustBundle: JsonObject): readonly string[] => errorsOf(projected({ clusterTrustBundle }));
  expect(bundle({ path: 'a' })).toEqual([`${source}.clusterTrustBundle: Required value: either name or signerName must be specified`]);
  expect(bundle({ name: 'n', signerName: 'a.b/c', path: 'a' })).toEqual([
    `${source}.clusterTrustBundle: Invalid value: {"Name":"n","SignerName":"a.b/c","LabelSelector":null,"Optional":null,"Path":"a"}: only one of name and signerName may be used`,
  ]);
  expect(bundle({ name: 'n', labelSelector: { matchLabels: { a: 'b' } }, path: '' })).toEqual([
    `${source}.clusterTrustBundle.labelSelector: Invalid value: {"matchLabels":{"a":"b"}}: labelSelector must be unset if name is specified`,
    `${source}.clusterTrustBundle.path: Required value`,
  ]);
  expect(bundle({ name: 'a.b:c:_', path: 'a' })[0]).toContain('Invalid value: "a.b:c:_": not a valid clustertrustbundlename: a lowercase');
  expect(bundle({ signerName: 'a.b/c', labelSelector: {}, path: 'a' })).toEqual([]);
});

test('a podCertificate has a key type, a limited lifetime, and unique paths', () => {
  const own = (podCertificate: JsonObject): JsonObject => ({
    podCertificate: { signerName: 'a.b/c', keyType: 'ED25519', ...podCertificate },
  });
  const at = `${source}.podCertificate`;
  expect(errorsOf(projected(own({ keyType: 'RSA1', maxExpirationSeconds: 60 })))).toEqual([
    `${at}.keyType: Unsupported value: "RSA1": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"`,
    `${at}.maxExpirationSeconds: Invalid value: 60: if provided, maxExpirationSeconds must be >= 3600`,
    `${at}: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath`,
  ]);
  expect(
    errorsOf(projected(own({ signerName: 'kubernetes.io/x', maxExpirationSeconds: 90_000, keyPath: 'k', certificateChainPath: 'k' }))),
  ).toEqual([
    `${at}.maxExpirationSeconds: Invalid value: 90000: if provided, maxExpirationSeconds must be <= 86400`,
    'spec.volumes[0].projected: Invalid value: "k": conflicting duplicate paths',
  ]);
});

test('a container may be privileged where the server allows it', () => {
  const privileged = { securityContext: { privileged: true, runAsUser: -1 } };
  const wrongUser = 'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive';
  expect(errorsOf({}, privileged)).toEqual([wrongUser]);
  expect(errorsOf({}, privileged, '', false)).toEqual([
    'spec.containers[0].securityContext.privileged: Forbidden: disallowed by cluster policy',
    wrongUser,
  ]);
});
