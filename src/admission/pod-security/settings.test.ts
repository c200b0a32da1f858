import { expect, test } from 'vitest';
import { type ApiObject, type JsonObject, productByName } from '../../meta/index.ts';
import { requestFor } from '../request.test-support.ts';
import { podSecurity } from './plugin.ts';
import type { PodSecuritySettings } from './settings.ts';

const product = productByName('kubernetes');
const latest = Number.POSITIVE_INFINITY;
const settings: PodSecuritySettings = {
  defaults: {
    enforce: { level: 'baseline', minor: latest },
    audit: { level: 'privileged', minor: latest },
    warn: { level: 'restricted', minor: 30 },
  },
  exempt: { usernames: ['builder'], namespaces: ['system'], runtimeClasses: ['sandbox'] },
};
const object = (kind: string, name: string, more: JsonObject): ApiObject => ({ apiVersion: 'v1', kind, metadata: { name }, ...more });
const container = { name: 'c', securityContext: { privileged: true } };
const pod = (name: string, more: JsonObject = {}): ApiObject => object('Pod', name, { spec: { containers: [container], ...more } });
const sandboxed = { runtimeClassName: 'sandbox' };
const template = (more: JsonObject): ApiObject =>
  object('PodTemplate', 't', { template: { spec: { containers: [{ name: 'c' }], ...more } } });

/** The outcome of a write: its rejection, warnings, and audit annotations without their prefix. */
async function validated(
  write: Parameters<typeof requestFor>[0],
  written: ApiObject,
  old?: ApiObject,
  labels: Readonly<Record<string, string>> = {},
): Promise<{ readonly refused: string; readonly warned: readonly string[]; readonly annotated: Readonly<Record<string, string>> }> {
  const warned: string[] = [];
  const annotated: Record<string, string> = {};
  const namespace = object('Namespace', 'ns', {});
  const pods = { find: async () => undefined, list: async () => [pod('a'), pod('b', sandboxed)] };
  const plugin = podSecurity(async () => ({ ...namespace, metadata: { name: 'ns', labels } }), pods, settings, product);
  const request = requestFor({
    ...write,
    warn: (text) => warned.push(text),
    annotate: (annotations) => {
      for (const [key, value] of Object.entries(annotations())) annotated[key.replace('pod-security.kubernetes.io/', '')] = value;
    },
  });
  const refused = await Promise.resolve(plugin.validate?.(request, written, old)).then(
    () => '',
    (error: Error) => error.message,
  );
  return { refused, warned, annotated };
}

test('uses the configured defaults for a namespace without labels', async () => {
  const { refused, annotated } = await validated({}, pod('p'));
  expect(refused).toBe(
    'pods "p" is forbidden: violates PodSecurity "baseline:latest": privileged (container "c" must not set securityContext.privileged=true)',
  );
  expect(annotated).toEqual({ 'enforce-policy': 'baseline:latest' });
  const { warned } = await validated({ resource: 'podtemplates' }, template({}));
  expect(warned.join()).toMatch(/^would violate PodSecurity "restricted:v1.30": /);
});

test('a fully privileged namespace allows everything and annotates the plain level', async () => {
  const labels = {
    'pod-security.kubernetes.io/enforce': 'privileged',
    'pod-security.kubernetes.io/enforce-version': 'v1.20',
    'pod-security.kubernetes.io/warn': 'privileged',
  };
  expect(await validated({}, pod('p'), undefined, labels)).toEqual({
    refused: '',
    warned: [],
    annotated: { 'enforce-policy': 'privileged:latest' },
  });
});

test.each([
  ['a namespace', 'namespace', { namespace: 'system' }, pod('p')],
  ['a user', 'user', { user: { username: 'builder', uid: '', groups: [], extra: {} } }, pod('p')],
  ['a runtime class', 'runtimeClass', {}, pod('p', sandboxed)],
  ['a runtime class of a template', 'runtimeClass', { resource: 'podtemplates' }, template(sandboxed)],
])('allows a write of an exempt %s and annotates the exemption', async (_, exempt, write, written) => {
  expect(await validated(write, written)).toEqual({ refused: '', warned: [], annotated: { exempt } });
});

test('warns that the labels of an exempt namespace are ignored', async () => {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted', 'pod-security.kubernetes.io/audit': 'privileged' };
  const namespace = { ...object('Namespace', 'system', {}), metadata: { name: 'system', labels } };
  const write = { resource: 'namespaces', namespace: 'system', name: 'system' };
  const warned = ['namespace "system" is exempt from Pod Security, and the policy (enforce=restricted:latest) will be ignored'];
  expect((await validated(write, namespace)).warned).toEqual(warned);
  const before = { ...namespace, metadata: { name: 'system' } };
  expect((await validated({ ...write, operation: 'UPDATE' }, namespace, before)).warned).toEqual(warned);
  expect((await validated(write, before)).warned).toEqual([]);
});

test('evaluates existing pods against a stricter level, unless their runtime class is exempt', async () => {
  const old = object('Namespace', 'ns', {});
  const now = { ...old, metadata: { name: 'ns', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } };
  const { warned } = await validated({ resource: 'namespaces', operation: 'UPDATE', name: 'ns' }, now, old);
  expect(warned[0]).toBe('existing pods in namespace "ns" violate the new PodSecurity enforce level "restricted:latest"');
  expect(warned[1]).toMatch(/^a: /);
});
