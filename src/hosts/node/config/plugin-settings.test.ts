import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../../env/index.ts';
import { productByName } from '../../../meta/index.ts';
import { type AdmissionSettings, loadAdmissionConfig } from './admission-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabplane-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outbound = { send: () => Promise.reject(new Error('not used')) };
const env = { clock: createManualClock(), random: createSeededRandom(1), log: createMemoryLog() };

/** Loads the settings of one plugin, which is enabled. */
function load(plugin: string, settings?: object): Promise<AdmissionSettings> {
  const path = join(folder, 'config.yaml');
  const plugins = settings === undefined ? [] : [{ name: plugin, configuration: settings }];
  writeFileSync(path, JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AdmissionConfiguration', plugins }));
  return loadAdmissionConfig(path, { choice: { enabled: [plugin], disabled: [] }, product: productByName('kubernetes'), env, outbound });
}

const limits = (...list: readonly object[]): object => ({
  apiVersion: 'eventratelimit.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  limits: list,
});
const tolerations = (members: object): object => ({
  apiVersion: 'podtolerationrestriction.admission.k8s.io/v1alpha1',
  kind: 'Configuration',
  ...members,
});
const webhook = (kubeConfigFile: string): object => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'WebhookAdmissionConfiguration',
  kubeConfigFile,
});
const quota = (members: object): object => ({
  apiVersion: 'apiserver.config.k8s.io/v1',
  kind: 'ResourceQuotaConfiguration',
  ...members,
});
const imagePolicy = (members: object): object => ({ imagePolicy: members });
const server = { type: 'Server', qps: 1, burst: 1 };
const unregistered = 'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"';

// The texts were recorded from kube-apiserver 1.34.4.
test.each<[plugin: string, settings: object | undefined, message: string]>([
  ['EventRateLimit', undefined, 'limits: Invalid value: null: must not be empty'],
  ['EventRateLimit', {}, "Object 'Kind' is missing in '{}'"],
  ['EventRateLimit', { apiVersion: 'v1', kind: 'Pod' }, unregistered],
  ['EventRateLimit', limits(), 'limits: Invalid value: []: must not be empty'],
  [
    'EventRateLimit',
    limits({ ...server, type: 'Bad' }),
    'limits[0].type: Unsupported value: "Bad": supported values: "Server", "Namespace", "User", "SourceAndObject"',
  ],
  ['EventRateLimit', limits({ ...server, qps: -1 }), 'limits[0].qps: Invalid value: -1: must be positive'],
  ['EventRateLimit', limits({ ...server, burst: 0 }), 'limits[0].burst: Invalid value: 0: must be positive'],
  ['EventRateLimit', limits({ ...server, type: 'User', cacheSize: -1 }), 'limits[0].cacheSize: Invalid value: -1: must not be negative'],
  ['EventRateLimit', limits({ ...server, qps: 'a' }), 'json: cannot unmarshal string into Go struct field Limit.limits.qps of type int32'],
  [
    'PodTolerationRestriction',
    tolerations({ default: [{ key: 'a b' }] }),
    `invalid config: [podtolerationrestriction.default[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')]`,
  ],
  [
    'PodTolerationRestriction',
    tolerations({ whitelist: 3 }),
    'json: cannot unmarshal number into Go struct field Configuration.whitelist of type []v1.Toleration',
  ],
  ['ValidatingAdmissionWebhook', webhook('relative'), 'kubeConfigFile: Invalid value: "relative": must be an absolute file path'],
  ['MutatingAdmissionWebhook', webhook('/nonexistent'), 'stat /nonexistent: no such file or directory'],
  ['ResourceQuota', {}, "Object 'Kind' is missing in '{}'"],
  ['ResourceQuota', { apiVersion: 'v1', kind: 'Pod' }, unregistered],
  [
    'ResourceQuota',
    quota({ limitedResources: 3 }),
    'json: cannot unmarshal number into Go struct field Configuration.limitedResources of type []v1.LimitedResource',
  ],
  ['ResourceQuota', quota({ x: 1 }), 'strict decoding error: unknown field "x"'],
  ['ImagePolicyWebhook', undefined, 'no config specified'],
  [
    'ImagePolicyWebhook',
    imagePolicy({}),
    'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
  ],
  ['ImagePolicyWebhook', imagePolicy({ kubeConfigFile: '/nonexistent' }), 'stat /nonexistent: no such file or directory'],
  ['ImagePolicyWebhook', imagePolicy({ allowTTL: -5 }), 'valid value is between 1s and 30m0s, got -5s'],
  ['ImagePolicyWebhook', imagePolicy({ allowTTL: 9999 }), 'valid value is between 1s and 30m0s, got 2h46m39s'],
  ['ImagePolicyWebhook', imagePolicy({ retryBackoff: 999999 }), 'valid value is between 1ns and 5m0s, got 16m39.999s'],
])('settings of %s are refused with the text of the real server: %j', async (plugin, settings, message) => {
  await expect(load(plugin, settings)).rejects.toThrow(`failed to apply admission: couldn't init admission plugin "${plugin}": ${message}`);
});
