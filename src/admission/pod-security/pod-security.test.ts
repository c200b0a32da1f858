import { expect, test } from 'vitest';
import { type JsonObject, productByName } from '../../meta/index.ts';
import { evaluatePod } from './evaluate.ts';
import { createPodView } from './pod-view.ts';
import { defaultPolicy, formatLevel, type LevelVersion, parsePolicy } from './policy.ts';

const product = productByName('kubernetes');
const verdict = (
  spec: JsonObject,
  level: LevelVersion['level'],
  minor: number = Number.POSITIVE_INFINITY,
  annotations: Readonly<Record<string, string>> = {},
): string => evaluatePod(createPodView({ metadata: { annotations }, spec }, product), { level, minor }).details;
const container = (change: JsonObject = {}): JsonObject => ({ name: 'c', ...change });
const secure = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};

test.each<readonly [string, JsonObject, string]>([
  ['a plain pod', { containers: [container()] }, ''],
  ['host namespaces', { hostNetwork: true, hostIPC: true, containers: [container()] }, 'host namespaces (hostNetwork=true, hostIPC=true)'],
  [
    'two containers',
    {
      containers: [container({ securityContext: { privileged: true } })],
      initContainers: [{ name: 'i', securityContext: { privileged: true } }],
    },
    'privileged (containers "i", "c" must not set securityContext.privileged=true)',
  ],
  [
    'host ports',
    { containers: [container({ ports: [{ hostPort: 80 }, { hostPort: 443 }] })] },
    'hostPort (container "c" uses hostPorts 443, 80)',
  ],
  [
    'a probe with a host',
    { containers: [container({ livenessProbe: { httpGet: { host: 'h', port: 1 } } })] },
    'probe or lifecycle host (container "c" uses probe or lifecycle host "h")',
  ],
  [
    'options of SELinux',
    { securityContext: { seLinuxOptions: { type: 'x', user: 'u' } }, containers: [container()] },
    'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "x"; user may not be set)',
  ],
  ['sysctls', { securityContext: { sysctls: [{ name: 'kernel.x' }] } }, 'forbidden sysctls (kernel.x)'],
])('baseline and %s', (_, spec, details) => {
  expect(verdict(spec, 'baseline')).toBe(details);
});

test('restricted reports the fields that most pods lack', () => {
  expect(verdict({ containers: [container()] }, 'restricted')).toBe(
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), ' +
      'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), ' +
      'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), ' +
      'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  );
  expect(verdict({ containers: [container(secure)] }, 'restricted')).toBe('');
});

test('restricted reports a volume once, by its own check', () => {
  const spec = { volumes: [{ name: 'v', hostPath: { path: '/' } }], containers: [container(secure)] };
  expect(verdict(spec, 'baseline')).toBe('hostPath volumes (volume "v")');
  expect(verdict(spec, 'restricted')).toBe('restricted volume types (volume "v" uses restricted volume type "hostPath")');
});

test('a level of an older release has fewer checks', () => {
  const probing = { containers: [container({ livenessProbe: { tcpSocket: { host: 'h', port: 1 } } })] };
  expect(verdict(probing, 'baseline', 33)).toBe('');
  expect(verdict({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } }, 'baseline', 31)).toBe(
    'forbidden sysctls (net.ipv4.tcp_rmem)',
  );
  const seccomp = { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' };
  expect(verdict({ containers: [container()] }, 'baseline', 18, seccomp)).toBe(
    'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  );
});

test('fewer checks apply to Windows pods since 1.25', () => {
  const spec = { os: { name: 'windows' }, containers: [container({ securityContext: { runAsNonRoot: true } })] };
  expect(verdict(spec, 'restricted', 24)).toContain('allowPrivilegeEscalation');
  expect(verdict(spec, 'restricted')).toBe('');
});

test('enforce implies warn, and invalid labels are reported', () => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/enforce-version': 'v1.20' };
  const { policy } = parsePolicy(labels, defaultPolicy, product);
  expect([policy.enforce, policy.audit, policy.warn].map(formatLevel)).toEqual(['baseline:v1.20', 'privileged:latest', 'baseline:v1.20']);
  const wrong = { 'pod-security.kubernetes.io/warn': 'x', 'pod-security.kubernetes.io/warn-version': '1' };
  const { errors } = parsePolicy(wrong, defaultPolicy, product);
  expect(errors.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: "x": must be one of privileged, baseline, restricted',
    'metadata.labels[pod-security.kubernetes.io/warn-version]: Invalid value: "1": must be "latest" or "v1.x"',
  ]);
});
