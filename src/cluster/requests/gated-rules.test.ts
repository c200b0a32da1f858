import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

/** The error message for an object with these feature gates. */
async function messageOf(gates: string, path: string, object: JsonObject): Promise<string> {
  const cluster = await startTestCluster({}, gates);
  await cluster.send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const answer = await cluster.send('POST', `${path}?dryRun=All`, object);
  return answer.status < 400 ? 'nothing' : String((bodyOf(answer) as { readonly message?: string }).message);
}

const inDefault = (path: string): string => path.replace('*', 'namespaces/default');
const scaler = {
  metadata: { name: 'h' },
  spec: {
    minReplicas: 0,
    maxReplicas: 3,
    scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' },
    metrics: [{ type: 'External', external: { metric: { name: 'm' }, target: { type: 'Value', value: '1' } } }],
  },
};
const service = (members: JsonObject, name = 's'): JsonObject => ({ metadata: { name }, spec: { ports: [{ port: 80 }], ...members } });
const ingress = {
  metadata: { name: 'i' },
  spec: { defaultBackend: { service: { name: '1a', port: { number: 80 } } } },
};
const pod = {
  metadata: { name: 'p' },
  spec: { securityContext: { seLinuxChangePolicy: 'MountOption' }, containers: [{ name: 'c', image: 'i' }] },
};

test.each<[setting: string, path: string, object: JsonObject, without: string]>([
  ['HPAScaleToZero=true', '/apis/autoscaling/v2/*/horizontalpodautoscalers', scaler, 'spec.minReplicas: Invalid value: 0'],
  ['RelaxedServiceNameValidation=true', '/api/v1/*/services', service({}, '1a'), 'metadata.name: Invalid value: "1a"'],
  [
    'RelaxedServiceNameValidation=true',
    '/apis/networking.k8s.io/v1/*/ingresses',
    ingress,
    'spec.defaultBackend.service.name: Invalid value: "1a"',
  ],
  [
    'SELinuxMount=true',
    '/api/v1/*/pods',
    pod,
    'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
  ],
])('%s accepts what is rejected otherwise', async (setting, path, object, without) => {
  expect(await messageOf(setting, inDefault(path), object)).toBe('nothing');
  expect(await messageOf('', inDefault(path), object)).toContain(without);
});

test('validates a field only while its feature is on, and drops it otherwise', async () => {
  const set = {
    metadata: { name: 's' },
    spec: {
      serviceName: 's',
      selector: { matchLabels: { a: 'b' } },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0 } },
    },
  };
  const path = inDefault('/apis/apps/v1/*/statefulsets');
  expect(await messageOf('', path, set)).toBe('nothing');
  expect(await messageOf('MaxUnavailableStatefulSet=true', path, set)).toContain(
    'spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: 0: cannot be 0',
  );
});

test('lists supported values according to feature gates', async () => {
  const path = inDefault('/api/v1/*/services');
  expect(await messageOf('PreferSameTrafficDistribution=false', path, service({ trafficDistribution: 'PreferSameNode' }))).toContain(
    'supported values: "PreferClose"',
  );
});
