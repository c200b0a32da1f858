import { expect, test } from 'vitest';
import { answer, createScriptedApi } from '../../client/client.fake.ts';
import { ApiClient } from '../../client/index.ts';
import { productByName } from '../../meta/index.ts';
import { corev1Pods } from '../../schema/api/index.ts';
import { PodControl, podFromTemplate, podNamePrefix } from './index.ts';

const controller = { kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata: { namespace: 'default', name: 'web', uid: 'rs' } };
const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'rs', controller: true, blockOwnerDeletion: true };
const template = {
  metadata: { labels: { app: 'web' }, annotations: { a: 'b' }, finalizers: ['example.com/hold'], name: 'ignored' },
  spec: { containers: [] },
};

function createPodControl(status: number, body: object) {
  const { handle, requests } = createScriptedApi([answer(status, JSON.stringify(body))]);
  const client = new ApiClient({ api: handle, product: productByName('kubernetes'), signal: new AbortController().signal });
  const events: string[] = [];
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string) => void events.push(`${type} ${reason} ${message}`),
  };
  return { control: new PodControl({ pods: client.resource(corev1Pods), recorder }), events, requests };
}

const failure = (reason: string, message: string, details = {}): object => ({ kind: 'Status', reason, message, details });

test('creates a pod from a template', async () => {
  const { control, events, requests } = createPodControl(201, { metadata: { name: 'web-abcde' } });
  await control.create(podFromTemplate(template, 'web', reference), controller);
  expect(events).toEqual(['Normal SuccessfulCreate Created pod: web-abcde']);
  expect(requests[0]?.target).toBe('/api/v1/namespaces/default/pods');
  expect(JSON.parse(new TextDecoder().decode(requests[0]?.body as Uint8Array))).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      namespace: 'default',
      generateName: 'web-',
      labels: { app: 'web' },
      annotations: { a: 'b' },
      finalizers: ['example.com/hold'],
      ownerReferences: [reference],
    },
    spec: { containers: [] },
  });
});

test('reports a failed creation', async () => {
  const { control, events } = createPodControl(403, failure('Forbidden', 'exceeded quota'));
  await expect(control.create({ metadata: { labels: { a: 'b' } } }, controller)).rejects.toThrow('exceeded quota');
  expect(events).toEqual(['Warning FailedCreate Error creating: exceeded quota']);
});

test('does not report a creation in a terminating namespace', async () => {
  const details = { causes: [{ reason: 'NamespaceTerminating' }] };
  const { control, events } = createPodControl(403, failure('Forbidden', 'is being terminated', details));
  await expect(control.create({ metadata: { labels: { a: 'b' } } }, controller)).rejects.toThrow('is being terminated');
  expect(events).toEqual([]);
});

test('does not create a pod without labels', async () => {
  const { control, requests } = createPodControl(201, {});
  await expect(control.create({ metadata: {} }, controller)).rejects.toThrow('unable to create pods, no labels');
  expect(requests).toEqual([]);
});

test.each([
  [200, undefined, ['Normal SuccessfulDelete Deleted pod: a']],
  [404, 'not found', []],
  [500, 'unable to delete pods: broken', ['Warning FailedDelete Error deleting: broken']],
])('deletes a pod: status %s', async (status, error, expected) => {
  const { control, events } = createPodControl(status, failure('', status === 404 ? 'not found' : 'broken'));
  const deleted = control.delete({ metadata: { name: 'a', namespace: 'default' } }, controller);
  await (error === undefined ? expect(deleted).resolves.toBeUndefined() : expect(deleted).rejects.toThrow(error));
  expect(events).toEqual(expected);
});

test('leaves the hyphen out of a prefix that is invalid with it', () => {
  expect([podNamePrefix('web'), podNamePrefix('Web')]).toEqual(['web-', 'Web']);
});
