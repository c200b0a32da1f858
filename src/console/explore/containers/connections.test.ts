import { expect, test } from 'vitest';
import { explainConnection, type NamespaceObjects, runningPods, targetsOf } from './connections.ts';

const pod = (name: string, podIP: string, phase = 'Running'): NamespaceObjects['pods'][number] => ({
  metadata: { name, namespace: 'shop', labels: { app: name } },
  spec: {
    nodeName: 'n1',
    containers: [
      {
        name: 'main',
        ports: [
          { name: 'http', containerPort: 8080 },
          { containerPort: 53, protocol: 'UDP' },
        ],
      },
    ],
  },
  status: { phase, podIP, podIPs: [{ ip: podIP }], hostIP: '172.18.0.2' },
});
const [web, front] = [pod('web', '10.0.0.1'), pod('front', '10.0.0.2')];
const service = (name: string, spec: object): NamespaceObjects['services'][number] => ({ metadata: { name }, spec }) as never;
const policy = (name: string, spec: object): NamespaceObjects['policies'][number] =>
  ({ metadata: { name, namespace: 'shop' }, spec }) as never;

const objects: NamespaceObjects = {
  pods: [web, pod('done', '10.0.0.9', 'Succeeded'), front],
  services: [
    service('web', { clusterIP: '10.96.0.1', selector: { app: 'web' }, ports: [{ port: 80, targetPort: 'http' }] }),
    service('headless', { clusterIP: 'None', selector: { app: 'web' }, ports: [{ port: 80 }] }),
  ],
  policies: [],
  namespaceLabels: {},
};
const closed = policy('closed', { podSelector: { matchLabels: { app: 'web' } } });
const open = policy('open', {
  podSelector: {},
  ingress: [{ from: [{ podSelector: { matchLabels: { app: 'front' } } }], ports: [{ port: 'http' }] }],
});

test('targets are the ports of Services with an address, and of running pods', () => {
  expect(runningPods(objects)).toEqual([front, web]);
  expect(targetsOf(objects)).toEqual([
    { name: 'svc/web:80', address: '10.96.0.1', port: 80, backends: [{ address: '10.0.0.1', port: 8080 }] },
    { name: 'pod/front:8080', address: '10.0.0.2', port: 8080, backends: [{ address: '10.0.0.2', port: 8080 }] },
    { name: 'pod/web:8080', address: '10.0.0.1', port: 8080, backends: [{ address: '10.0.0.1', port: 8080 }] },
  ]);
});

test.each([
  ['no policy', [], true, []],
  ['one that isolates the server', [closed], false, ['closed']],
  ['one that allows the client', [closed, open], true, ['open']],
] as const)('with %s', (_name, policies, isAllowed, names) => {
  for (const target of targetsOf(objects).filter(({ name }) => name.includes('web')))
    expect(explainConnection({ ...objects, policies }, front, target), target.name).toEqual({ isAllowed, policies: names });
});
