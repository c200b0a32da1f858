import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName, StatusError } from '../../meta/index.ts';
import { createCatalog } from '../../schema/index.ts';
import type { CheckedAction } from '../access-check.ts';
import type { AdmissionRequest } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references.ts';

const catalog = createCatalog(productByName('kubernetes'));
const prefix = 'configmaps "a" is forbidden: cannot set ';
const noFinalizers = "blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: no, <nil>";

const owner = (more: JsonObject = {}): JsonObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u', ...more });
const blocking = (more: JsonObject = {}): JsonObject => owner({ blockOwnerDeletion: true, ...more });
const configMap = (...ownerReferences: readonly JsonObject[]): ApiObject =>
  ({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', ownerReferences } }) as unknown as ApiObject;

/** Writes a ConfigMap as a user with these rights; returns the outcome and the authorized actions. */
async function write(rights: (action: CheckedAction) => boolean, next: ApiObject, old?: ApiObject) {
  const checked: string[] = [];
  const plugin = ownerReferencesPermissionEnforcement({
    served: () => catalog,
    authorize: async (_, action) => {
      const { verb, group, version, resource, subresource = '', namespace, name } = action;
      checked.push([verb, group, version, resource, subresource, namespace, name].join(' '));
      return { allowed: rights(action), reason: 'no' };
    },
  });
  const attributes: Partial<AdmissionRequest> = { operation: old ? 'UPDATE' : 'CREATE', resource: 'configmaps', name: 'a' };
  try {
    await plugin.validate?.(requestFor(attributes), next, old);
    return { outcome: 'written', checked };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { outcome: error.message, checked };
  }
}

const none = (): boolean => false;
const all = (): boolean => true;
const onlyDelete = ({ verb }: CheckedAction): boolean => verb === 'delete';

test('a user without the right to delete an object sets its owners only when it is created', async () => {
  expect(await write(none, configMap(owner()))).toEqual({ outcome: 'written', checked: [] });
  const denied = `${prefix}an ownerRef on a resource you can't delete: no, <nil>`;
  expect(await write(none, configMap(owner()), configMap())).toEqual({ outcome: denied, checked: ['delete  v1 configmaps  ns a'] });
  expect((await write(none, configMap(), configMap(owner()))).outcome).toBe(denied);
  expect(await write(none, configMap(owner()), configMap(owner()))).toEqual({ outcome: 'written', checked: [] });
  expect((await write(onlyDelete, configMap(owner()), configMap())).outcome).toBe('written');
});

test('blocking the deletion of an owner needs the right to update its finalizers', async () => {
  expect(await write(all, configMap(blocking()))).toEqual({ outcome: 'written', checked: ['update * * * finalizers  *'] });
  expect(await write(none, configMap(blocking()))).toEqual({
    outcome: prefix + noFinalizers,
    checked: ['update * * * finalizers  *', 'update apps v1 deployments finalizers ns d'],
  });
  const { checked } = await write(none, configMap(blocking({ apiVersion: 'v1', kind: 'node' })));
  expect(checked.at(-1)).toBe('update  v1 nodes finalizers  d');
  const ofDeployments = ({ group }: CheckedAction): boolean => group === 'apps';
  expect((await write(ofDeployments, configMap(blocking()))).outcome).toBe('written');
});

test('only a reference that did not block before is checked', async () => {
  expect((await write(onlyDelete, configMap(blocking({ controller: true })), configMap(blocking()))).outcome).toBe('written');
  expect((await write(onlyDelete, configMap(owner()), configMap(blocking()))).outcome).toBe('written');
  expect((await write(onlyDelete, configMap(blocking()), configMap(owner()))).outcome).toBe(prefix + noFinalizers);
  expect((await write(onlyDelete, configMap(blocking()), configMap(blocking({ uid: 'v' })))).outcome).toBe(prefix + noFinalizers);
});

test('an owner of an unknown kind cannot be blocked', async () => {
  expect((await write(none, configMap(blocking({ kind: 'Widget' })))).outcome).toBe(
    `${prefix}blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps/v1 Kind Widget: no matches for kind "Widget" in version "apps/v1"`,
  );
  expect((await write(none, configMap(blocking({ kind: 'DeploymentList' })))).checked.at(-1)).toBe(
    'update apps v1 deploymentlists finalizers ns d',
  );
});

test('the status of pods is not checked', () => {
  const { handles } = ownerReferencesPermissionEnforcement({
    served: () => catalog,
    authorize: async () => ({ allowed: false, reason: '' }),
  });
  const status = { operation: 'UPDATE', group: '', resource: 'pods', subresource: 'status' } as const;
  expect([handles(status), handles({ ...status, subresource: '' }), handles({ ...status, resource: 'nodes' })]).toEqual([
    false,
    true,
    true,
  ]);
});
