import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { startControllers } from '../index.ts';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

let key: JsonWebKey;
beforeAll(async () => {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  key = (await exportJWK(privateKey)) as JsonWebKey;
});

let running: TestCluster;
afterEach(() => running.close());

async function started(): Promise<TestCluster> {
  running = await startTestCluster({
    controllers: startControllers,
    rootAuthority: 'PEM',
    createSigningKey: async () => key,
  });
  return running;
}

/** Advances the clock until the response is as expected. Signatures are made by other threads, so it also waits for them. */
async function until(target: string, isDone: (body: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> {
  for (let round = 0; round < 2_000; round++) {
    const body = bodyOf(await running.send('GET', target));
    if (isDone(body)) return body;
    await running.clock.advance(500);
    await new Promise((resolve) => (round < 200 ? setImmediate(resolve) : setTimeout(resolve, 10)));
  }
  throw new Error(`${target} did not become what it should`);
}

const exists = ({ kind }: Record<string, unknown>): boolean => kind !== 'Status';
const isNotFound = ({ reason }: Record<string, unknown>): boolean => reason === 'NotFound';

test('creates the default account and root certificate of a namespace, and restores them', async () => {
  const { send } = await started();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  const account = '/api/v1/namespaces/shop/serviceaccounts/default';
  const certificate = '/api/v1/namespaces/shop/configmaps/kube-root-ca.crt';
  const { metadata } = await until(account, exists);
  expect((await until(certificate, exists))['data']).toEqual({ 'ca.crt': 'PEM' });
  await send('DELETE', account);
  const annotations = { 'kubernetes.io/description': 'ours' };
  await send('PUT', certificate, { metadata: { name: 'kube-root-ca.crt', annotations }, data: { 'ca.crt': 'other' } });
  const again = await until(account, exists);
  expect(again['metadata']).not.toEqual(metadata);
  const restored = await until(certificate, ({ data }) => JSON.stringify(data) === '{"ca.crt":"PEM"}');
  expect(restored).toMatchObject({
    metadata: { annotations: { 'kubernetes.io/description': expect.stringMatching(/^Contains a CA bundle/) } },
  });
});

test('admits a pod of the default account right after the creation of its namespace', async () => {
  const { send, clock } = await started();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  const answer = send('POST', '/api/v1/namespaces/shop/pods', {
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  });
  let status = 0;
  void answer.then((response) => {
    status = response.status;
  });
  for (let round = 0; status === 0 && round < 200; round++) {
    await clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(bodyOf(await answer)).toMatchObject({ kind: 'Pod', spec: { serviceAccountName: 'default' } });
});

test('fills a token secret with a valid token, and deletes it with its account', async () => {
  const { send } = await started();
  await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const secret = { metadata: { name: 'robot-token', annotations }, type: 'kubernetes.io/service-account-token' };
  await send('POST', '/api/v1/namespaces/default/secrets', secret);
  const path = '/api/v1/namespaces/default/secrets/robot-token';
  const { data } = await until(path, (body) => JSON.stringify(body).includes('"token"'));
  const { token = '', ...others } = data as Record<string, string>;
  expect(others).toEqual({ 'ca.crt': btoa('PEM'), namespace: btoa('default') });
  const authorization = `Bearer ${atob(token)}`;
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  const whoami = bodyOf(await send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review, { authorization }));
  expect(JSON.stringify(whoami)).toContain('"username":"system:serviceaccount:default:robot"');
  await send('DELETE', '/api/v1/namespaces/default/serviceaccounts/robot');
  await until(path, isNotFound);
});

test('removes a deleted token secret from the list of its account', async () => {
  const { send } = await started();
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await send('POST', accounts, { metadata: { name: 'robot' }, secrets: [{ name: 'robot-token' }, { name: 'other' }] });
  const annotations = { 'kubernetes.io/service-account.name': 'robot' };
  const secret = { metadata: { name: 'robot-token', annotations }, type: 'kubernetes.io/service-account-token' };
  await send('POST', '/api/v1/namespaces/default/secrets', secret);
  const path = '/api/v1/namespaces/default/secrets/robot-token';
  await until(path, (body) => JSON.stringify(body).includes('"token"'));
  await send('DELETE', path);
  const account = await until(`${accounts}/robot`, (body) => !JSON.stringify(body).includes('"robot-token"'));
  expect(account['secrets']).toEqual([{ name: 'other' }]);
});

test('deletes a token secret of a missing account', async () => {
  const { send } = await started();
  const annotations = { 'kubernetes.io/service-account.name': 'nobody' };
  const secret = { metadata: { name: 'lost', annotations }, type: 'kubernetes.io/service-account-token' };
  expect((await send('POST', '/api/v1/namespaces/default/secrets', secret)).status).toBe(201);
  await until('/api/v1/namespaces/default/secrets/lost', isNotFound);
});

test('deletes the content of a terminating namespace, reports what remains, and finalizes it', async () => {
  const { send } = await started();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  const configMaps = '/api/v1/namespaces/shop/configmaps';
  await send('POST', configMaps, { metadata: { name: 'a' } });
  await send('POST', configMaps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await send('DELETE', '/api/v1/namespaces/shop');
  const held = await until('/api/v1/namespaces/shop', (body) => JSON.stringify(body).includes('configmaps. has 1 resource instances'));
  expect(JSON.stringify(held)).toContain('example.com/hold in 1 resource instances');
  expect(isNotFound(bodyOf(await send('GET', `${configMaps}/a`)))).toBe(true);
  const patchType = { 'content-type': 'application/merge-patch+json' };
  await send('PATCH', `${configMaps}/held`, { metadata: { finalizers: null } }, patchType);
  await until('/api/v1/namespaces/shop', isNotFound);
});

test('reports why the resources of a terminating namespace are not all discovered, and retains it', async () => {
  const { send } = await started();
  const services = '/apis/apiregistration.k8s.io/v1/apiservices';
  const spec = {
    group: 'sample.example',
    version: 'v1',
    groupPriorityMinimum: 1,
    versionPriority: 1,
    service: { namespace: 'a', name: 'b' },
  };
  await send('POST', services, { metadata: { name: 'v1.sample.example' }, spec });
  await until('/apis', (body) => JSON.stringify(body).includes('sample.example'));
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } });
  await send('DELETE', '/api/v1/namespaces/shop');
  const { status } = await until('/api/v1/namespaces/shop', (body) => JSON.stringify(body).includes('DiscoveryFailed'));
  const version = 'sample.example/v1: stale GroupVersion discovery: sample.example/v1';
  expect((status as { readonly conditions: readonly object[] }).conditions[0]).toMatchObject({
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'True',
    message: `Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ${version}`,
  });
  await send('DELETE', `${services}/v1.sample.example`);
  await until('/api/v1/namespaces/shop', isNotFound);
});

test('retains a namespace until other finalizers are removed', async () => {
  const { send } = await started();
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'shop' }, spec: { finalizers: ['kubernetes', 'example.com/own'] } });
  await send('DELETE', '/api/v1/namespaces/shop');
  const { spec } = await until('/api/v1/namespaces/shop', (body) => !JSON.stringify(body['spec']).includes('"kubernetes"'));
  expect(spec).toEqual({ finalizers: ['example.com/own'] });
});

test('retains a ServiceCIDR until no service uses an address of it', async () => {
  const { send } = await started();
  const ranges = '/apis/networking.k8s.io/v1/servicecidrs';
  const conditions = ({ status }: Record<string, unknown>): string => JSON.stringify(status ?? {});
  await send('POST', ranges, { metadata: { name: 'more' }, spec: { cidrs: ['192.168.3.0/24'] } });
  const { metadata } = await until(`${ranges}/more`, (body) => conditions(body).includes('"Kubernetes Service CIDR is ready"'));
  expect(metadata).toMatchObject({ finalizers: ['networking.k8s.io/service-cidr-finalizer'] });
  const service = { metadata: { name: 's' }, spec: { clusterIP: '192.168.3.7', ports: [{ port: 80 }] } };
  expect((await send('POST', '/api/v1/namespaces/default/services', service)).status).toBe(201);
  await send('DELETE', `${ranges}/more`);
  await until(`${ranges}/more`, (body) => conditions(body).includes('"Terminating"'));
  await send('DELETE', '/api/v1/namespaces/default/services/s');
  await until(`${ranges}/more`, isNotFound);
});

test('releases volumes and claims that are deleted and not used any more', async () => {
  const { send } = await started();
  const volume = {
    metadata: { name: 'disk' },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } },
  };
  await send('POST', '/api/v1/persistentvolumes', volume);
  await send('DELETE', '/api/v1/persistentvolumes/disk');
  await until('/api/v1/persistentvolumes/disk', isNotFound);
  const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  await send('POST', claims, { metadata: { name: 'data' }, spec });
  await until('/api/v1/namespaces/default/serviceaccounts/default', exists);
  await send('POST', '/api/v1/nodes', { metadata: { name: 'n1' } });
  const containers = [{ name: 'c', image: 'i' }];
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  await send('POST', '/api/v1/namespaces/default/pods', { metadata: { name: 'web' }, spec: { nodeName: 'n1', containers, volumes } });
  await send('DELETE', `${claims}/data`);
  await running.clock.advance(60_000);
  expect(bodyOf(await send('GET', `${claims}/data`))['kind']).toBe('PersistentVolumeClaim');
  await send('DELETE', '/api/v1/namespaces/default/pods/web', { gracePeriodSeconds: 0 });
  await until(`${claims}/data`, isNotFound);
});

test('type-checks the expressions of a policy against built-in and custom kinds', async () => {
  const { send } = await started();
  const definition = {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } },
          },
        },
      ],
    },
  };
  await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  await until('/apis/example.com/v1/widgets', ({ kind }) => kind === 'WidgetList');
  const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
  const policy = (name: string, group: string, resource: string, expression: string): object => ({
    metadata: { name },
    spec: {
      matchConstraints: { resourceRules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: [resource] }] },
      validations: [{ expression }],
    },
  });
  await send('POST', policies, policy('typed', 'example.com', 'widgets', "object.spec.size == 'x'"));
  await send(
    'POST',
    policies,
    policy('fine', 'apps', 'deployments', 'object.spec.replicas > 1 && object.spec.template.spec.containers.all(c, c.image != "")'),
  );
  const isChecked = ({ status }: Record<string, unknown>): boolean => (status as { observedGeneration?: number }).observedGeneration === 1;
  expect((await until(`${policies}/fine`, isChecked))['status']).toEqual({ observedGeneration: 1, typeChecking: {} });
  const warning =
    "example.com/v1, Kind=Widget: ERROR: <input>:1:18: found no matching overload for '_==_' applied to '(int, string)'\n" +
    " | object.spec.size == 'x'\n | .................^\n";
  expect((await until(`${policies}/typed`, isChecked))['status']).toMatchObject({
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning }] },
  });
});
