import { describe, expect, test } from 'vitest';
import { type ApiObject, createFeatureGates, type JsonObject, productByName } from '../../../meta/index.ts';
import type { StrategyContext } from '../../strategy.ts';
import { addressWarnings, cidrWarnings, endpointSliceWarnings, serviceWarnings } from './addresses.ts';
import { runtimeClassWarnings, storageCapacityWarnings, storageClassWarnings } from './node-labels.ts';
import { ingressWarnings, secretWarnings, serviceAccountWarnings } from './others.ts';
import { podWarnings } from './pods.ts';
import { jobWarnings, newPodWarnings, replicationControllerWarnings, statefulSetWarnings, workloadWarnings } from './workloads.ts';

const product = productByName('kubernetes');
const context: StrategyContext = {
  now: '2025-01-01T00:00:00Z',
  random: { integer: () => 0, uuid: () => '' },
  product,
  gates: createFeatureGates(),
  dryRun: false,
  requester: { username: '', uid: '', groups: [], extra: {} },
  subresource: '',
};

function pod(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { metadata: { name: 'a', ...metadata }, spec };
}

function object(members: JsonObject, metadata: JsonObject = {}): ApiObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', generation: 1, ...metadata }, ...members } as ApiObject;
}

/** Recorded in test/conformance/scenarios/objects/kinds/36-warnings.json, with variants. */
describe('pods', () => {
  const container = (members: JsonObject): JsonObject => ({ containers: [{ name: 'c', image: 'i', ...members }] });
  const port = (members: JsonObject): JsonObject => ({ containerPort: 80, protocol: 'TCP', ...members });
  test.each<[what: string, pod: JsonObject, warnings: string[]]>([
    ['nothing', pod(container({})), []],
    [
      'a variable twice',
      pod(
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
        }),
      ),
      ['spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply'],
    ],
    [
      'a variable that mentions itself',
      pod(
        container({
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '$(A):2' },
          ],
        }),
      ),
      [],
    ],
    [
      'a port twice',
      pod(container({ ports: [port({}), port({})] })),
      ['spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]'],
    ],
    [
      'a port twice, once on the host',
      pod(container({ ports: [port({}), port({ hostPort: 80 })] })),
      ['spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]'],
    ],
    [
      'an address of the host without its port',
      pod(container({ ports: [port({ name: 'a', hostIP: '1.2.3.4' })] })),
      ['spec.containers[0].ports[0]: hostIP set without hostPort: {Name:a HostPort:0 ContainerPort:80 Protocol:TCP HostIP:1.2.3.4}'],
    ],
    [
      'addresses in an old form, those of servers first',
      pod({ ...container({}), hostAliases: [{ ip: 'FD00::1' }], dnsConfig: { nameservers: ['010.1.1.1'] } }),
      [
        'spec.dnsConfig.nameservers[0]: non-standard IP address "010.1.1.1" will be considered invalid in a future Kubernetes release: use "10.1.1.1"',
        'spec.hostAliases[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
      ],
    ],
    [
      'a label of old',
      pod({ ...container({}), nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }),
      ['spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead'],
    ],
    [
      'an annotation of old, which became a field',
      pod(container({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }), {
        annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'runtime/default' },
      }),
      [
        'metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead',
      ],
    ],
    [
      'a fraction of a byte',
      pod(container({ resources: { requests: { memory: '100m' } } })),
      ['spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer'],
    ],
    [
      'files of a volume that lie on each other',
      pod({
        ...container({}),
        volumes: [
          { name: 'v', configMap: { name: 'c', items: [{ path: 'a' }, { path: 'a/b' }] } },
          {
            name: 'w',
            projected: { sources: [{ serviceAccountToken: { path: 'a' } }, {}, { secret: { name: 's', items: [{ path: 'a/' }] } }] },
          },
        ],
      }),
      [
        'volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a"',
        'volume "w" (Projected) has no sources provided',
        'volume "w" (Projected): overlapping paths: "a" (Secret "s") with "a" (ServiceAccountToken)',
      ],
    ],
    [
      'volumes of old',
      pod({ ...container({}), volumes: [{ name: 'v', rbd: {} }] }),
      ['spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+'],
    ],
  ])('%s', (_, given, warnings) => {
    expect(podWarnings(given, product)).toEqual(warnings);
  });

  test('are checked on create, not on update', () => {
    const odd = object({ spec: { terminationGracePeriodSeconds: -1 } });
    expect(newPodWarnings(odd, undefined, context)).toHaveLength(1);
    expect(newPodWarnings(odd, odd, context)).toEqual([]);
  });
});

describe('workloads', () => {
  test('report names with dots', () => {
    expect(workloadWarnings(object({ spec: {} }, { name: 'a-b.c' }), undefined, context)).toEqual([
      'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
    ]);
  });

  test('check templates again when the spec changes', () => {
    const before = object({ spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } } });
    expect(workloadWarnings(before, before, context)).toEqual([]);
    expect(workloadWarnings({ ...before, metadata: { ...before.metadata, generation: 2 } }, before, context)).toEqual([
      'spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ]);
  });

  test('report the previous template when the spec of a ReplicationController changes', () => {
    const odd = object({ spec: { template: { spec: { terminationGracePeriodSeconds: -1 } } } });
    const plain = object({ spec: { template: { spec: {} } } }, { generation: 2 });
    expect([replicationControllerWarnings(odd, undefined, context), replicationControllerWarnings(plain, odd, context)]).toEqual([
      [expect.stringContaining('must be >= 0')],
      [expect.stringContaining('must be >= 0')],
    ]);
    expect([replicationControllerWarnings(odd, plain, context), replicationControllerWarnings(odd, odd, context)]).toEqual([[], []]);
  });

  test('report a very large Job and a negative revisionHistoryLimit', () => {
    const large = object({ spec: { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 } });
    expect(jobWarnings(large, undefined, context)).toHaveLength(1);
    expect(statefulSetWarnings(object({ spec: { revisionHistoryLimit: -1 } }), undefined, context)).toEqual([
      'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
    ]);
  });
});

describe('addresses', () => {
  test.each([
    ['10.1.1.1', []],
    ['010.1.1.1', ['f: non-standard IP address "010.1.1.1" will be considered invalid in a future Kubernetes release: use "10.1.1.1"']],
    ['FD00:0::1', ['f: IPv6 address "FD00:0::1" should be in RFC 5952 canonical format ("fd00::1")']],
    ['x', []],
  ])('%s', (text, warnings) => {
    expect(addressWarnings('f', text)).toEqual(warnings);
  });

  test('report host bits of a CIDR', () => {
    expect(cidrWarnings('f', '10.1.1.1/8')).toEqual([
      'f: CIDR value "10.1.1.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.1.1/32"?)',
    ]);
    expect(cidrWarnings('f', 'fd00::/8')).toEqual([]);
  });

  test('report addresses of Services and EndpointSlices', () => {
    const headless = { spec: { type: 'ClusterIP', clusterIP: 'None', sessionAffinity: 'None', externalIPs: ['10.1.1.1'] } };
    expect(serviceWarnings(headless, undefined, context)).toEqual(['spec.externalIPs is ignored for headless services']);
    const annotated = { metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': '' } }, spec: { type: 'ClusterIP' } };
    expect(serviceWarnings(annotated, undefined, context)).toEqual([
      'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead',
    ]);
    const slice = { addressType: 'FQDN' };
    expect(endpointSliceWarnings(slice, undefined)).toEqual(['spec.addressType: FQDN endpoints are deprecated']);
    expect(endpointSliceWarnings(slice, slice)).toEqual([]);
  });
});

describe('others', () => {
  test('report a deprecated annotation of a service account when it is added', () => {
    const key = 'kubernetes.io/enforce-mountable-secrets';
    const annotated = object({}, { annotations: { [key]: 'true' } });
    const warning = `metadata.annotations[${key}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`;
    expect(serviceAccountWarnings(annotated, undefined, context)).toEqual([warning]);
    expect(serviceAccountWarnings(annotated, object({}), context)).toEqual([warning]);
    expect(serviceAccountWarnings(annotated, annotated, context)).toEqual([]);
  });

  test('report an invalid key pair', () => {
    const secret = (crt: string): ApiObject => object({ type: 'kubernetes.io/tls', data: { 'tls.crt': btoa(crt), 'tls.key': btoa('x') } });
    expect(secretWarnings(secret('x'), undefined, context)).toEqual(['tls: failed to find any PEM data in certificate input']);
    expect(secretWarnings(secret('-----BEGIN CERTIFICATE-----\n'), undefined, context)).toEqual([
      'tls: failed to find any PEM data in key input',
    ]);
  });

  test('report the class annotation of an Ingress', () => {
    const annotations = { 'kubernetes.io/ingress.class': 'x' };
    expect(ingressWarnings(object({ spec: {} }, { annotations }), undefined, context)).toHaveLength(1);
    expect(ingressWarnings(object({ spec: { ingressClassName: 'x' } }, { annotations }), undefined, context)).toEqual([]);
  });

  test('report deprecated node labels', () => {
    const key = 'failure-domain.beta.kubernetes.io/zone';
    const why = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
    const allowedTopologies = [{ matchLabelExpressions: [{ key: 'zone' }, { key }] }];
    expect(storageClassWarnings(object({ allowedTopologies }), undefined, context)).toEqual([
      `allowedTopologies[0].matchLabelExpressions[1].key: ${why}`,
    ]);
    const nodeTopology = { matchExpressions: [{ key, operator: 'Exists' }], matchLabels: { [key]: 'a' } };
    expect(storageCapacityWarnings(object({ nodeTopology }), undefined, context)).toEqual([
      `nodeTopology.matchExpressions[0].key: ${key} is ${why}`,
      `nodeTopology.matchLabels.${key}: ${why}`,
    ]);
    expect(runtimeClassWarnings(object({ scheduling: { nodeSelector: { [key]: 'a' } } }), undefined, context)).toEqual([
      `scheduling.nodeSelector: ${why}`,
    ]);
  });
});
