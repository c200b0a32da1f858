import { expect, test } from 'vitest';
import type { JsonObject } from '../../meta/index.ts';
import { bodyOf, startTestCluster } from '../test-cluster.test-support.ts';

const policies = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies';
const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles';

function ownedBy(object: unknown): JsonObject {
  const { metadata } = object as { readonly metadata: { readonly managedFields: readonly [{ readonly fieldsV1: JsonObject }] } };
  return metadata.managedFields[0].fieldsV1;
}

test('hides and does not own an empty list, but counts it as a change of a network policy', async () => {
  const { send } = await startTestCluster();
  const policy = { metadata: { name: 'a' }, spec: { podSelector: {} } };
  await send('POST', policies, policy);
  const changed = bodyOf(await send('PUT', `${policies}/a`, { ...policy, spec: { podSelector: {}, ingress: [] } }));
  expect(changed).toMatchObject({ metadata: { generation: 2 } });
  expect(changed).not.toHaveProperty('spec.ingress');
  expect(ownedBy(changed)['f:spec']).not.toHaveProperty('f:ingress');
});

test('owns an empty list of an always encoded field, and stores it as null', async () => {
  const { send } = await startTestCluster();
  const role = bodyOf(await send('POST', roles, { metadata: { name: 'a', labels: {} }, rules: [] }));
  expect(role).toHaveProperty('rules', null);
  expect(role).not.toHaveProperty('metadata.labels');
  expect(ownedBy(role)).toEqual({ 'f:rules': {} });
  expect(bodyOf(await send('POST', `${roles}?dryRun=All`, { metadata: { name: 'b' }, rules: [] }))).toHaveProperty('rules', null);
});
