import { expect, test } from 'vitest';
import { bodyOf, startTestCluster, type TestCluster } from '../test-cluster.test-support.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
const maps = '/api/v1/namespaces/default/configmaps';

/** Creates and binds a policy for config maps. */
async function bound({ send }: TestCluster, spec: object, binding: object = {}, name = 'p'): Promise<void> {
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }];
  const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules }, ...spec } };
  expect(bodyOf(await send('POST', `${group}/validatingadmissionpolicies`, policy))).not.toHaveProperty('reason');
  const bindingSpec = { policyName: name, validationActions: ['Deny'], ...binding };
  const made = await send('POST', `${group}/validatingadmissionpolicybindings`, { metadata: { name }, spec: bindingSpec });
  expect(bodyOf(made)).not.toHaveProperty('reason');
}

const map = (name: string, data = {}) => ({ metadata: { name }, data });

test('enforces a policy with the next request, until its binding is deleted', async () => {
  const cluster = await startTestCluster();
  await bound(cluster, { validations: [{ expression: "object.metadata.name != 'a'", message: 'not a', reason: 'Forbidden' }] });
  const refused = await cluster.send('POST', maps, map('a'));
  const message = "ValidatingAdmissionPolicy 'p' with binding 'p' denied request: not a";
  expect([refused.status, bodyOf(refused)]).toMatchObject([
    403,
    {
      reason: 'Forbidden',
      message: `configmaps "a" is forbidden: ${message}`,
      details: { name: 'a', kind: 'configmaps', causes: [{ message }] },
    },
  ]);
  expect((await cluster.send('POST', `${maps}?dryRun=All`, map('a'))).status).toBe(403);
  await cluster.send('DELETE', `${group}/validatingadmissionpolicybindings/p`);
  expect((await cluster.send('POST', maps, map('a'))).status).toBe(201);
});

test('evaluates a deletion with the old object, and one of a collection without a name', async () => {
  const cluster = await startTestCluster();
  await cluster.send('POST', maps, map('kept', { keep: 'yes' }));
  await bound(cluster, { validations: [{ expression: 'object != null || !("keep" in oldObject.data)', message: 'kept' }] });
  expect(bodyOf(await cluster.send('DELETE', `${maps}/kept`))).toMatchObject({ code: 422, details: { name: 'kept' } });
  expect(bodyOf(await cluster.send('DELETE', maps))).toMatchObject({ code: 422, details: { name: 'Unknown' } });
});

test('reads params when needed, and evaluates them one after the other', async () => {
  const cluster = await startTestCluster();
  const spec = {
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    validations: [
      { expression: '!has(object.data) || object.data.size == params.data.size', messageExpression: '"not " + string(params.data.size)' },
    ],
  };
  const paramRef = { selector: { matchLabels: { size: 'yes' } }, parameterNotFoundAction: 'Deny' };
  await bound(cluster, spec, { paramRef });
  const missing = 'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction';
  expect(bodyOf(await cluster.send('POST', maps, map('a', { size: '1' })))['message']).toContain(missing);
  await cluster.send('DELETE', `${group}/validatingadmissionpolicybindings/p`);
  for (const size of ['1', '2']) await cluster.send('POST', maps, { metadata: { name: size, labels: { size: 'yes' } }, data: { size } });
  await cluster.send('POST', `${group}/validatingadmissionpolicybindings`, {
    metadata: { name: 'p' },
    spec: { policyName: 'p', validationActions: ['Warn'], paramRef },
  });
  const { headers } = await cluster.send('POST', maps, map('a', { size: '1' }));
  expect(headers).toContainEqual(['warning', `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'p': not 2"`]);
});

test('authorizes the requester in expressions', async () => {
  const cluster = await startTestCluster();
  const validations = [
    { expression: 'authorizer.requestResource.check("frob").allowed()' },
    { expression: '!authorizer.serviceAccount("default", "x").path("/metrics").check("get").allowed()' },
    { expression: '!authorizer.group("apps").resource("deployments").namespace("default").check("get").allowed()', message: 'may' },
  ];
  await bound(cluster, { validations });
  expect(bodyOf(await cluster.send('POST', maps, map('a')))['message']).toMatch(/denied request: may$/);
});

test('evaluates a scale as Scale, and a connection by its options', async () => {
  const cluster = await startTestCluster();
  const rule = (operations: readonly string[], apiGroups: readonly string[], resources: readonly string[]) => ({
    matchConstraints: { resourceRules: [{ apiGroups, apiVersions: ['v1'], operations, resources }] },
  });
  await bound(
    cluster,
    { ...rule(['UPDATE'], ['apps'], ['deployments/scale']), validations: [{ expression: 'object.spec.replicas < 3' }] },
    {},
    'scale',
  );
  await bound(
    cluster,
    { ...rule(['CONNECT'], [''], ['pods/exec']), validations: [{ expression: '!("sh" in object.command)' }] },
    {},
    'exec',
  );
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  await cluster.send('POST', deployments, { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
  const scaled = async (replicas: number) =>
    (await cluster.send('PATCH', `${deployments}/d/scale`, { spec: { replicas } }, { 'content-type': 'application/merge-patch+json' }))
      .status;
  expect([await scaled(2), await scaled(3)]).toEqual([200, 422]);
  const exec = async (command: string) => (await cluster.send('POST', `/api/v1/namespaces/default/pods/p/exec?command=${command}`)).status;
  expect([await exec('sh'), await exec('ls')]).toEqual([422, 404]);
});

test('evaluates objects as Go encodes them, with the name in the body when the path has none', async () => {
  const cluster = await startTestCluster();
  await bound(cluster, { validations: [{ expression: 'has(object.data)', message: 'no data' }] });
  expect(bodyOf(await cluster.send('POST', maps, map('a')))['message']).toMatch(/no data$/);
  const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['bindings'] }];
  await bound(cluster, { matchConstraints: { resourceRules }, validations: [{ expression: 'request.name != "p"' }] }, {}, 'named');
  const binding = { metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } };
  expect((await cluster.send('POST', '/api/v1/namespaces/default/bindings', binding)).status).toBe(422);
});
