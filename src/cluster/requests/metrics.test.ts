import { expect, test } from 'vitest';
import { startTestCluster } from '../test-cluster.test-support.ts';

test('metrics show stored objects, the requests of the server itself, and its queues', async () => {
  // With an option, the cluster creates its objects at the start.
  const { send, close } = await startTestCluster({ disabledMetrics: new Set() });
  const text = String((await send('GET', '/metrics')).body);
  expect(text).toMatch(/^apiserver_storage_objects\{resource="namespaces"\} [1-9]\d*$/m);
  expect(text).toMatch(/^apiserver_resource_objects\{group="apps",resource="deployments"\} 0$/m);
  expect(text).toMatch(/^apiserver_admission_step_admission_duration_seconds_count\{operation="CREATE",rejected="false",type="admit"\} /m);
  expect(text).toMatch(/^apiserver_request_total\{code="404",.*resource="namespaces",.*verb="GET"/m);
  expect(text).toMatch(/^rest_client_requests_total\{code="201",host="[^"]+",method="POST"\} /m);
  expect(text).toMatch(/^workqueue_depth\{name="autoregister"\} \d+$/m);
  expect(text).toMatch(/^kubernetes_build_info\{.*git_version="v1\.34\.\d+".*\} 1$/m);
  expect(text).toContain('# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n');
  await close();
});

test('disabled metrics are left out and counted', async () => {
  const disabledMetrics = new Set(['apiserver_request_total', 'none']);
  const { send, close } = await startTestCluster({ disabledMetrics });
  const text = String((await send('GET', '/metrics')).body);
  expect(text).not.toContain('apiserver_request_total');
  expect(text).toContain('\ndisabled_metrics_total 1\n');
  await close();
});

test('pages of the host are served as plain text, and listed', async () => {
  const { send, close } = await startTestCluster({ hostPages: new Map([['/statusz', ({ version }) => version.gitVersion]]) });
  const get = (accept: string): ReturnType<typeof send> => send('GET', '/statusz', undefined, { accept });
  for (const accept of ['*/*', 'text/*', 'text/plain;charset=utf-8'])
    expect(await get(accept)).toMatchObject({ status: 200, body: expect.stringMatching(/^v1\.34/) });
  for (const accept of ['', 'application/json'])
    expect(await get(accept)).toMatchObject({ status: 406, body: 'media type not acceptable, must be: text/plain\n' });
  expect(JSON.parse(String((await send('GET', '/')).body)).paths).toContain('/statusz');
  expect((await send('GET', '/flagz')).status).toBe(404);
  await close();
});
