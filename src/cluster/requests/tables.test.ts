import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const autoscalers = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const metric = (name: string): JsonObject => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization: 50 } },
});

async function withAutoscaler(): Promise<Awaited<ReturnType<typeof startTestCluster>>> {
  const cluster = await startTestCluster();
  const made = await cluster.send('POST', autoscalers('v2'), {
    metadata: { name: 'a' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
      maxReplicas: 3,
      metrics: [metric('cpu'), metric('memory')],
    },
  });
  expect(made.status).toBe(201);
  return cluster;
}

test.each(['', '/a'])('a table of autoscalers%s has the same rows in every version', async (item) => {
  const { send } = await withAutoscaler();
  const rows = async (version: string): Promise<unknown> =>
    bodyOf(await send('GET', autoscalers(version) + item, undefined, asTable))['rows'];
  expect(await rows('v1')).toEqual(await rows('v2'));
  expect(await rows('v1')).toMatchObject([{ cells: ['a', 'Deployment/d', 'cpu: <unknown>/50%, memory: <unknown>/50%', '1', 3, 0, '0s'] }]);
});

test('includes whole objects in rows in the requested version', async () => {
  const { send } = await withAutoscaler();
  const shown = bodyOf(await send('GET', `${autoscalers('v1')}/a?includeObject=Object`, undefined, asTable));
  expect(shown['rows']).toMatchObject([{ object: { apiVersion: 'autoscaling/v1', spec: { targetCPUUtilizationPercentage: 50 } } }]);
});

test('sorts rows of flow schemas by precedence, and the list by name', async () => {
  const { send } = await startTestCluster();
  const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const { rows } = bodyOf(await send('GET', schemas, undefined, asTable)) as { rows: readonly { cells: readonly unknown[] }[] };
  const precedences = rows.map(({ cells }) => Number(cells[2]));
  expect(precedences).toEqual([...precedences].sort((a, b) => a - b));
  expect(rows[0]?.cells[0]).toBe('exempt');
  const { items } = bodyOf(await send('GET', schemas)) as { items: readonly { metadata: { name: string } }[] };
  const names = items.map(({ metadata }) => metadata.name);
  expect(names).toEqual([...names].sort());
});
