import { expect, test } from 'vitest';
import { type ApiObject, productByName, StatusError } from '../../meta/index.ts';
import { requestFor } from '../request.test-support.ts';
import { podNodeSelector } from './pod-node-selector.ts';

const cluster = { clusterDefaultNodeSelector: 'env=dev', listed: 'env=dev, zone=a', broken: 'bad' };

/** The node selector of a pod after admission, or the message of its rejection. */
async function admit(namespace: string, nodeSelector: Readonly<Record<string, string>>, annotation?: string, validatesOnly = false) {
  const annotations = annotation === undefined ? {} : { 'scheduler.alpha.kubernetes.io/node-selector': annotation };
  const found: ApiObject = { kind: 'Namespace', apiVersion: 'v1', metadata: { name: namespace, annotations } };
  const plugin = podNodeSelector({ find: async () => found, list: async () => [] }, cluster, productByName('kubernetes'));
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec: { nodeSelector } } as ApiObject;
  try {
    const made = validatesOnly ? pod : await plugin.mutate?.(requestFor({ namespace }), pod, undefined);
    await plugin.validate?.(requestFor({ namespace }), made ?? pod, undefined);
    return (made as { readonly spec?: object }).spec;
  } catch (error) {
    if (error instanceof StatusError) return `${error.code} ${error.message}`;
    throw error;
  }
}

test('the selector of the cluster is that of namespaces without the annotation', async () => {
  expect(await admit('other', { a: 'b' })).toEqual({ nodeSelector: { env: 'dev', a: 'b' } });
  expect(await admit('other', { a: 'b' }, 'c=d')).toEqual({ nodeSelector: { c: 'd', a: 'b' } });
  expect(await admit('other', { a: 'b' }, '')).toEqual({ nodeSelector: { a: 'b' } });
  expect(await admit('other', { env: 'prod' })).toBe(
    '403 pods "p" is forbidden: pod node label selector conflicts with its namespace node label selector',
  );
});

test('pods select only labels of the whitelist of their namespace', async () => {
  const conflict = '403 pods "p" is forbidden: pod node label selector labels conflict with its namespace whitelist';
  expect(await admit('listed', { zone: 'a' })).toEqual({ nodeSelector: { env: 'dev', zone: 'a' } });
  expect(await admit('listed', { zone: 'b' })).toBe(conflict);
  expect(await admit('listed', { other: 'a' })).toBe(conflict);
  expect(await admit('listed', {}, 'other=a')).toBe(conflict);
  // Another plugin may have changed the pod.
  expect(await admit('listed', { zone: 'b' }, '', true)).toBe(conflict);
});

test('a selector that cannot be read is an error of the request', async () => {
  expect(await admit('broken', {})).toBe('500 invalid selector: [bad]');
  expect(await admit('other', {}, 'a=b=c')).toBe('500 invalid selector: [a b c]');
  expect(await admit('other', {}, 'a b=c')).toMatch(/^500 <nil>: Invalid value: "a b": name part must consist of/);
  expect(await admit('other', {}, 'k=v v')).toMatch(/^500 \[k\]: Invalid value: "v v": a valid label must be/);
});
