import { type AttackRequest, json, post, range } from './attacks/attack.ts';

/** Objects to which the components of a cluster react, as much as they can. */
export interface Storm {
  readonly name: string;
  /** Number of nodes with kubelets. */
  readonly nodes: number;
  readonly requests: () => readonly AttackRequest[];
  /** Statuses of the responses besides those below 300. */
  readonly refusals?: readonly number[];
}

const pods = '/api/v1/namespaces/default/pods';
const configMaps = '/api/v1/namespaces/default/configmaps';

const port = { containerPort: 80, hostPort: 80 };
const template = (spec: object): object => ({ metadata: { labels: { app: 'a' } }, spec });
/** Without the scheduler, which would not choose the node of the taken port. */
const refused = template({ nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx', ports: [port] }] });
const crashing = { containers: [{ name: 'c', image: 'busybox', command: ['false'] }] };
const selector = { matchLabels: { app: 'a' } };

const takePort: AttackRequest = post(pods, {
  metadata: { name: 'first' },
  spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx', ports: [port] }] },
});

const controllers = (kind: string, spec: object): AttackRequest =>
  post(`/apis/apps/v1/namespaces/default/${kind}`, { metadata: { name: 'a' }, spec: { selector, ...spec } });

const cronJob = (name: string, schedule: string, more: object = {}): AttackRequest =>
  post('/apis/batch/v1/namespaces/default/cronjobs', {
    metadata: { name },
    spec: { schedule, ...more, jobTemplate: { spec: { template: { spec: { ...crashing, restartPolicy: 'Never' } } } } },
  });

const remove = (target: string, propagationPolicy: string): AttackRequest => ({
  method: 'DELETE',
  target,
  headers: { 'content-type': 'application/json' },
  body: json({ propagationPolicy }),
});

/** Two config maps for each index, which own each other. The uids are invalid, so that both owners are absent. */
const owned = (index: number): AttackRequest =>
  post(configMaps, {
    metadata: {
      name: `owned-${index}`,
      finalizers: ['example.com/never'],
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: `owned-${index ^ 1}`, uid: `uid-${index ^ 1}`, blockOwnerDeletion: true },
      ],
    },
  });

export const storms: readonly Storm[] = [
  {
    name: 'a StatefulSet whose pod the node refuses',
    nodes: 1,
    requests: () => [takePort, controllers('statefulsets', { serviceName: 'a', replicas: 1, template: refused })],
  },
  {
    name: 'a StatefulSet of 50 parallel pods that the node refuses',
    nodes: 1,
    requests: () => [
      takePort,
      controllers('statefulsets', { serviceName: 'a', replicas: 50, podManagementPolicy: 'Parallel', template: refused }),
    ],
  },
  {
    name: 'a ReplicaSet of 300 pods that the node refuses',
    nodes: 1,
    requests: () => [takePort, controllers('replicasets', { replicas: 300, template: refused })],
  },
  {
    name: 'a DaemonSet whose pods every node refuses',
    nodes: 3,
    requests: () => [
      takePort,
      controllers('daemonsets', { template: template({ hostNetwork: true, containers: [{ name: 'c', image: 'nginx', ports: [port] }] }) }),
    ],
  },
  {
    name: '1,000 pods that crash',
    nodes: 10,
    requests: () => range(1_000, (index) => post(pods, { metadata: { name: `crash-${index}` }, spec: crashing })),
  },
  {
    name: 'Jobs that fail without limit',
    nodes: 1,
    requests: () => [
      post('/apis/batch/v1/namespaces/default/jobs', {
        metadata: { name: 'a' },
        spec: {
          parallelism: 100,
          completions: 1_000_000,
          backoffLimit: 2_147_483_647,
          template: { spec: { ...crashing, restartPolicy: 'Never' } },
        },
      }),
    ],
  },
  {
    name: 'schedules of CronJobs that are invalid, never due or in the past',
    nodes: 1,
    requests: () => [
      cronJob('minute', '* * * * *', { startingDeadlineSeconds: 1 }),
      cronJob('invalid', '61 * * * *'),
      cronJob('every-nothing', '@every 0s'),
      cronJob('often', '@every 1ns'),
      ...range(50, (index) => cronJob(`never-${index}`, '0 0 31 2 *')),
      ...range(50, (index) => cronJob(`leap-${index}`, '0 0 29 2 1')),
      ...range(50, (index) => cronJob(`zone-${index}`, '*/1 * * * *', { timeZone: 'Asia/Kathmandu' })),
    ],
    refusals: [422],
  },
  {
    name: 'pods with huge environments and arguments',
    nodes: 1,
    requests: () => [
      ...range(3, (index) =>
        post(pods, {
          metadata: { name: `env-${index}` },
          spec: {
            containers: [
              {
                name: 'c',
                image: 'busybox',
                command: ['sh', '-c', `${'true && '.repeat(50_000)}false`],
                env: range(5_000, (variable) => ({ name: `V${variable}`, value: `$(V${variable - 1})$(V${variable - 1})` })),
              },
            ],
          },
        }),
      ),
      ...range(3, (index) =>
        post(pods, {
          metadata: { name: `args-${index}` },
          spec: { containers: [{ name: 'c', image: 'busybox', args: range(20_000, (argument) => `${argument}`.repeat(5)) }] },
        }),
      ),
    ],
  },
  {
    name: '1,000 objects with finalizers that own each other, in a namespace that is deleted',
    nodes: 0,
    requests: () => [
      ...range(1_000, owned),
      remove(`${configMaps}/owned-0`, 'Foreground'),
      remove(configMaps, 'Foreground'),
      post('/api/v1/namespaces', { metadata: { name: 'stuck' } }),
      ...range(300, (index) =>
        post('/api/v1/namespaces/stuck/configmaps', { metadata: { name: `c-${index}`, finalizers: ['example.com/never'] } }),
      ),
      remove('/api/v1/namespaces/stuck', 'Background'),
    ],
  },
];
