import { expect, test } from 'vitest';
import { type ApiObject, forbidden, StatusError } from '../../meta/index.ts';
import type { AdmissionRequest } from '../admission.ts';
import { requestFor } from '../request.test-support.ts';
import { namespaceAutoProvision } from './namespace-auto-provision.ts';

const pod: ApiObject = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' } };

async function admit(request: Partial<AdmissionRequest>, error?: StatusError) {
  const created: string[] = [];
  const find = async (_: string, name: string) => (name === 'ns' ? pod : undefined);
  const plugin = namespaceAutoProvision({ find, list: async () => [] }, async (name) => {
    if (error) throw error;
    created.push(name);
  });
  const outcome = await plugin.mutate?.(requestFor(request), pod, undefined).catch(({ message }: Error) => message);
  return { outcome, created };
}

test('a missing namespace is created, unless the request is a dry run', async () => {
  expect(await admit({ namespace: 'ns' })).toEqual({ outcome: pod, created: [] });
  expect(await admit({ namespace: 'new' })).toEqual({ outcome: pod, created: ['new'] });
  expect(await admit({ namespace: 'new', dryRun: true })).toEqual({ outcome: pod, created: [] });
  expect(await admit({ namespace: '' })).toEqual({ outcome: pod, created: [] });
});

test('a namespace that cannot be created makes the request forbidden', async () => {
  expect(await admit({ namespace: 'New' }, new StatusError(422, 'Invalid', 'Namespace "New" is invalid'))).toMatchObject({
    outcome: 'pods "p" is forbidden: Namespace "New" is invalid',
  });
  const denied = forbidden({ group: '', name: 'namespaces' }, 'new', 'no');
  expect(await admit({ namespace: 'new' }, denied)).toMatchObject({ outcome: 'namespaces "new" is forbidden: no' });
});

test('only creations of other objects than namespaces are handled', () => {
  const { handles } = namespaceAutoProvision({ find: async () => undefined, list: async () => [] }, async () => {});
  const write = { operation: 'CREATE', group: '', resource: 'pods', subresource: 'binding' } as const;
  const handled = [write, { ...write, operation: 'UPDATE' } as const, { ...write, resource: 'namespaces' }].map((one) => handles(one));
  expect(handled).toEqual([true, false, false]);
});
