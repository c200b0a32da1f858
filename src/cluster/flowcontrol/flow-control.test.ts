import { expect, test } from 'vitest';
import type { ApiResponse } from '../../meta/index.ts';
import { startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };

/** A cluster whose user bob has a priority level of one seat and one place in a queue. */
async function startWithLevel(): Promise<TestCluster> {
  const running = await startTestCluster();
  const limited = {
    nominalConcurrencyShares: 0,
    lendablePercent: 0,
    borrowingLimitPercent: 0,
    limitResponse: { type: 'Queue', queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } },
  };
  await running.send('POST', `${group}/prioritylevelconfigurations`, { metadata: { name: 'tiny' }, spec: { type: 'Limited', limited } });
  await running.send('POST', `${group}/flowschemas`, {
    metadata: { name: 'bob' },
    spec: {
      matchingPrecedence: 2,
      priorityLevelConfiguration: { name: 'tiny' },
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [{ kind: 'User', user: { name: 'bob' } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
        },
      ],
    },
  });
  return running;
}

/** A review of bob whose body arrives when `arrive` is called. */
function upload({ handle }: TestCluster): { readonly answer: Promise<ApiResponse>; wasReceived(): boolean; arrive(): void } {
  let arrive = (): void => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  let isReceived = false;
  const request = {
    method: 'POST',
    target: reviews,
    headers: new Headers({ authorization: 'Bearer bob', 'content-type': 'application/json' }),
    signal: new AbortController().signal,
    body: undefined as Uint8Array | undefined,
    async receiveBody() {
      isReceived = true;
      await arrived;
      request.body = new TextEncoder().encode(JSON.stringify(review));
    },
  };
  return { answer: handle(request), wasReceived: () => isReceived, arrive };
}

const read = async ({ send }: TestCluster, path: string): Promise<string> => String((await send('GET', path)).body);

test('a request above the limit of its priority level waits in a queue, and one more is rejected', async () => {
  const running = await startWithLevel();
  const first = upload(running);
  await expect.poll(first.wasReceived).toBe(true);
  const second = upload(running);
  await expect.poll(() => read(running, '/debug/api_priority_and_fairness/dump_priority_levels')).toMatch(/tiny, .* 1, +1, +1, /);
  const third = await upload(running).answer;
  expect({ status: third.status, body: third.body }).toEqual({ status: 429, body: 'Too many requests, please try again later.\n' });
  expect(third.headers).toContainEqual(['retry-after', '1']);
  expect(second.wasReceived()).toBe(false);
  const requests = await read(running, '/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1');
  const rows = requests.split('\n').map((line) => line.split(/, */));
  expect(rows[0]).toContain('RequestIndexInQueue');
  const ofBob = rows.filter((row) => row[0] === 'tiny').map((row) => [row[1], row[2], row[3], row[4], row[10], row[11], row[16]]);
  expect(ofBob).toEqual([
    ['bob', '0', '0', 'bob', 'bob', 'create', 'selfsubjectaccessreviews'],
    ['bob', '0', '-1', 'bob', 'bob', 'create', 'selfsubjectaccessreviews'],
  ]);
  first.arrive();
  expect((await first.answer).status).toBe(201);
  await expect.poll(second.wasReceived).toBe(true);
  second.arrive();
  expect((await second.answer).status).toBe(201);
  const metrics = await read(running, '/metrics');
  expect(metrics).toContain('apiserver_flowcontrol_dispatched_requests_total{flow_schema="bob",priority_level="tiny"} 2\n');
  const queued = (name: string): string => `${name}{flow_schema="bob",priority_level="tiny"} 0\n`;
  expect(metrics).toContain(queued('apiserver_flowcontrol_current_inqueue_requests'));
  // Requests of levels without queues never wait.
  for (const name of ['current_inqueue_requests', 'request_wait_duration_seconds_count'])
    expect(metrics).not.toMatch(new RegExp(`apiserver_flowcontrol_${name}\\{.*priority_level="exempt"`));
  expect(metrics).toContain(
    'apiserver_flowcontrol_rejected_requests_total{flow_schema="bob",priority_level="tiny",reason="queue-full"} 1\n',
  );
  expect(metrics).toContain('apiserver_flowcontrol_nominal_limit_seats{priority_level="catch-all"} 13\n');
  expect(metrics).toContain('apiserver_flowcontrol_lower_limit_seats{priority_level="catch-all"} 13\n');
  expect(metrics).toContain('apiserver_flowcontrol_upper_limit_seats{priority_level="catch-all"} 613\n');
  expect(metrics).toContain('apiserver_flowcontrol_demand_seats_high_watermark{priority_level="catch-all"} 0\n');
  expect(metrics).toContain('apiserver_flowcontrol_work_estimated_seats_count{flow_schema="bob",priority_level="tiny"} 3\n');
  expect(metrics).toContain(
    'apiserver_flowcontrol_request_execution_seconds_count{flow_schema="bob",priority_level="tiny",type="regular"} 2\n',
  );
});

test('the list of queues has a row for each queue', async () => {
  const lines = (await read(await startWithLevel(), '/debug/api_priority_and_fairness/dump_queues')).split('\n');
  expect(lines[0]).toMatch(/^PriorityLevelName, Index, +PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, +InitialSeatsSum, /);
  expect(lines.filter((line) => line.startsWith('tiny,'))).toHaveLength(1);
  expect(lines.find((line) => line.startsWith('tiny,'))).toMatch(/^tiny, +0, +0, +0, +0, +0\.00000000ss, +0, +0, +0\.00000000ss$/);
});

test('without flow control, responses have no headers of it and its diagnostics do not exist', async () => {
  const { send } = await startTestCluster({ priorityAndFairness: false });
  const { headers } = await send('GET', '/version');
  expect(headers.map(([name]) => name)).not.toContain('x-kubernetes-pf-flowschema-uid');
  expect((await send('GET', '/debug/api_priority_and_fairness/dump_queues')).status).toBe(404);
});
