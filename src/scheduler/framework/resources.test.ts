import { expect, test } from 'vitest';
import { podRequests } from '../../component-helpers/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import { nonZeroRequests } from './resources.ts';

type Requests = Readonly<Record<string, string>>;
const container = (requests: Requests, more: object = {}): object => ({ name: 'c', resources: { requests }, ...more });
const sidecar = (requests: Requests): object => container(requests, { restartPolicy: 'Always' });
const podOf = (spec: object, status: object = {}): corev1.Pod => ({ spec, status }) as corev1.Pod;

const cases: Readonly<Record<string, { readonly pod: corev1.Pod; readonly cpu: number; readonly memory?: number }>> = {
  'containers together': {
    pod: podOf({ containers: [container({ cpu: '1', memory: '1Ki' }), container({ cpu: '500m' })] }),
    cpu: 1500,
    memory: 1024,
  },
  'the largest init container': {
    pod: podOf({ containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '3' }), container({ cpu: '2' })] }),
    cpu: 3000,
  },
  'sidecars run beside what starts after them': {
    pod: podOf({
      containers: [container({ cpu: '1' })],
      initContainers: [container({ cpu: '2' }), sidecar({ cpu: '1' }), container({ cpu: '2' })],
    }),
    cpu: 3000,
  },
  'requests of the pod replace those of containers': {
    pod: podOf({ containers: [container({ cpu: '1' })], resources: { requests: { cpu: '4' } } }),
    cpu: 4000,
  },
  overhead: { pod: podOf({ containers: [container({ cpu: '1' })], overhead: { cpu: '250m' } }), cpu: 1250 },
  'the larger of wanted and allocated requests during a resize': {
    pod: podOf({ containers: [container({ cpu: '1' })] }, { containerStatuses: [{ name: 'c', allocatedResources: { cpu: '2' } }] }),
    cpu: 2000,
  },
};

test.each(Object.entries(cases))('requests of a pod: %s', (_, { pod, cpu, memory = 0 }) => {
  const requests = podRequests(pod);
  expect([requests.get('cpu') ?? 0, requests.get('memory') ?? 0]).toEqual([cpu, memory]);
});

test('counts missing requests as small ones for scores', () => {
  const requests = nonZeroRequests(podOf({ containers: [container({ cpu: '1' }), container({})] }));
  expect([...requests]).toEqual([
    ['cpu', 1100],
    ['memory', 2 * 200 * 1024 * 1024],
  ]);
});
