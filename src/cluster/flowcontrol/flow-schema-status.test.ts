import { afterEach, expect, test } from 'vitest';
import { startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let running: TestCluster;
afterEach(() => running.close());

const contains =
  (...texts: readonly string[]) =>
  (body: Record<string, unknown>): boolean =>
    texts.every((text) => JSON.stringify(body).includes(text));

const schemas = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const levels = '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations';

test('a flow schema shows whether its priority level exists', async () => {
  running = await startTestCluster();
  await running.create(schemas, {
    metadata: { name: 'a' },
    spec: { priorityLevelConfiguration: { name: 'l' }, matchingPrecedence: 100 },
  });
  const reference = 'This FlowSchema references the PriorityLevelConfiguration object named \\"l\\"';
  await running.until(`${schemas}/a`, contains('"status":"True"', '"reason":"NotFound"', `${reference} but there is no such object`));
  await running.create(levels, { metadata: { name: 'l' }, spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } });
  const found = await running.until(`${schemas}/a`, contains('"status":"False"', '"reason":"Found"', `${reference} and it exists`));
  expect(found['metadata']).toMatchObject({
    managedFields: [
      { manager: 'api-priority-and-fairness-config-consumer-v1', operation: 'Apply', subresource: 'status' },
      { operation: 'Update' },
    ],
  });
  await running.send('DELETE', `${levels}/l`);
  await running.until(`${schemas}/a`, contains('"reason":"NotFound"'));
});
