import { expect, test } from 'vitest';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

interface Item {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly managedFields: readonly { readonly manager: string; readonly subresource?: string }[];
  };
  readonly spec: { readonly matchingPrecedence?: number };
}

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';

test('creates the startup objects of the real server', async () => {
  const { send } = await startTestCluster();
  const names = async (path: string): Promise<readonly string[]> =>
    (bodyOf(await send('GET', path))['items'] as readonly Item[]).map(({ metadata }) => metadata.name);
  expect(await names(`${group}/prioritylevelconfigurations`)).toEqual([
    ...['catch-all', 'exempt', 'global-default', 'leader-election', 'node-high', 'system', 'workload-high', 'workload-low'],
  ]);
  expect(await names(`${group}/flowschemas`)).toHaveLength(11);
  const services = await names('/apis/apiregistration.k8s.io/v1/apiservices');
  expect([services[0], services.length, services.includes('v1.apiregistration.k8s.io')]).toEqual(['v1.', 21, false]);
  expect(await names('/apis/networking.k8s.io/v1/ipaddresses')).toEqual(['10.96.0.1']);
});

test('owns the status of a flow schema by its controller', async () => {
  const { send } = await startTestCluster();
  const { metadata } = bodyOf(await send('GET', `${group}/flowschemas/exempt`)) as unknown as Item;
  expect(metadata.managedFields.map(({ manager, subresource }) => [manager, subresource])).toEqual([
    ['api-priority-and-fairness-config-consumer-v1', 'status'],
    ['api-priority-and-fairness-config-producer-v1', undefined],
  ]);
});

test('adds flow schema and priority level headers after authentication and before authorization', async () => {
  const { send } = await startTestCluster();
  const uidOf = async (path: string): Promise<string> => (bodyOf(await send('GET', `${group}/${path}`)) as unknown as Item).metadata.uid;
  const flowHeaders = async (target: string, token: string): Promise<readonly (string | undefined)[]> => {
    const { headers } = await send('GET', target, undefined, { authorization: `Bearer ${token}` });
    return ['flowschema', 'prioritylevel'].map((what) => headers.find(([name]) => name === `x-kubernetes-pf-${what}-uid`)?.[1]);
  };
  const both = async (schema: string, level: string) => [
    await uidOf(`flowschemas/${schema}`),
    await uidOf(`prioritylevelconfigurations/${level}`),
  ];
  expect(await flowHeaders('/api/v1/pods', 'admin')).toEqual(await both('exempt', 'exempt'));
  expect(await flowHeaders('/api/v1/pods', 'bob')).toEqual(await both('global-default', 'global-default'));
  expect(await flowHeaders('/healthz', 'bob')).toEqual(await both('probes', 'exempt'));
  expect(await flowHeaders('/api/v1/pods', 'nobody')).toEqual([undefined, undefined]);
  expect(await flowHeaders('/api/v1/namespaces/a/pods/b/exec', 'admin')).toEqual([undefined, undefined]);
});

test('applies a written flow schema with the next request', async () => {
  const { send } = await startTestCluster();
  const rules = [
    {
      subjects: [{ kind: 'User', user: { name: 'bob' } }],
      resourceRules: [{ verbs: ['list'], apiGroups: [''], resources: ['pods'], clusterScope: true }],
    },
  ];
  const spec = { matchingPrecedence: 5, priorityLevelConfiguration: { name: 'system' }, rules };
  const made = bodyOf(await send('POST', `${group}/flowschemas`, { metadata: { name: 'bobs' }, spec })) as unknown as Item;
  const { headers } = await send('GET', '/api/v1/pods', undefined, { authorization: 'Bearer bob' });
  expect(headers).toContainEqual(['x-kubernetes-pf-flowschema-uid', made.metadata.uid]);
});
