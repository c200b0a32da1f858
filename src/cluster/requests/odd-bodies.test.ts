import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const maps = '/api/v1/namespaces/default/configmaps';

test('accepts the core group with a leading slash', async () => {
  const { send } = await startTestCluster();
  const sent = { apiVersion: '/v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(bodyOf(await send('POST', maps, sent))).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
  expect((await send('POST', maps, { ...sent, apiVersion: '/v2' })).status).toBe(400);
});

test('quotes an unknown field as Go does', async () => {
  const { send } = await startTestCluster();
  const { headers } = await send('POST', maps, { metadata: { name: 'a' }, '\u0000\u2028': 1 });
  expect(headers.find(([name]) => name.toLowerCase() === 'warning')?.[1]).toBe('299 - "unknown field \\"\\\\x00\\\\u2028\\""');
});

test('treats huge limits as no limit', async () => {
  const { send } = await startTestCluster();
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  const createPod = (amount: string) => {
    const resources = { limits: { cpu: '1', 'hugepages-2Mi': amount } };
    return send('POST', '/api/v1/namespaces/default/pods?dryRun=All', {
      metadata: { name: 'p' },
      spec: { containers: [{ name: 'c', image: 'i', resources }] },
    });
  };
  expect((await createPod('0')).status).toBe(201);
  expect((await createPod('4Mi')).status).toBe(201);
  expect(bodyOf(await createPod('3Mi'))['message']).toContain('3Mi is not positive integer multiple of hugepages-2Mi');
});

test.each([
  ['an error in a body of another kind', { spec: 5 }, 'json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec'],
  ['a body of another kind', { spec: {} }, 'converting (v1.Pod) to (core.ConfigMap): unknown conversion'],
])('reports %s', async (_, more, message) => {
  const { send } = await startTestCluster();
  const answer = await send('POST', maps, { apiVersion: 'v1', kind: 'Pod', ...more });
  expect([answer.status, bodyOf(answer)['message']]).toEqual([400, `Pod in version "v1" cannot be handled as a ConfigMap: ${message}`]);
});

test('drops annotations that carry fields of other versions from an autoscaler of version 2', async () => {
  const { send } = await startTestCluster();
  const annotations = { 'autoscaling.alpha.kubernetes.io/scale-up-tolerance': '1', 'autoscaling.alpha.kubernetes.io/metrics': '[]' };
  const spec = { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };
  const path = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers';
  const { metadata } = bodyOf(await send('POST', path, { metadata: { name: 'a', annotations }, spec })) as { metadata: JsonObject };
  expect(metadata['annotations']).toBeUndefined();
  expect(JSON.stringify(metadata['managedFields'])).not.toContain('f:annotations');
});

test.each([
  ['true', 80],
  ['[]', 80],
  ['[{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1"}}]', undefined],
])('sets the default target of an autoscaler of version 1 with the metrics %s to %s', async (metrics, target) => {
  const { send } = await startTestCluster();
  const annotations = { 'autoscaling.alpha.kubernetes.io/metrics': metrics };
  const spec = { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' } };
  const path = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers';
  const created = bodyOf(await send('POST', path, { metadata: { name: 'a', annotations }, spec })) as { spec: JsonObject };
  expect(created.spec['targetCPUUtilizationPercentage']).toBe(target);
});
