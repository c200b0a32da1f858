import { deflateRawSync } from 'node:zlib';
import { strToU8 } from 'fflate';
import { expect, test } from 'vitest';
import { dictionary1 } from './dictionary.ts';
import { parseLink, writeLink } from './share-link.ts';
import { LinkError, parseShared, type SharedCluster } from './shared-cluster.ts';
import { toManifest, userObjects } from './user-objects.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'default' }, spec: { replicas: 2 } };
const shared: SharedCluster = { name: 'Übung', objects: [web], files: { '/home/me/a.yaml': 'a: ✓\n' }, view: '#/o/apps/v1/deployments' };

const packed = (bytes: Uint8Array): string => `1.${deflateRawSync(bytes, { dictionary: strToU8(dictionary1) }).toString('base64url')}`;
const packedText = (text: string): string => packed(strToU8(text));

test('a link round-trips, deterministically', () => {
  expect(parseLink(writeLink(shared))).toEqual(shared);
  expect(writeLink(shared)).toBe(writeLink(shared));
});

test('opens a link of the first release of version 1', () => {
  expect(parseLink(fixture1)).toEqual({ name: 'Fixture', objects: [web] });
});

/** Out in the world: must open for ever. */
const fixture1 = '1.gyt2y6woATV98XieJg5AystGoP4HAA';

test('a Deployment with its Service is a short link', () => {
  const deployment = {
    ...web,
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    },
  };
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'default' },
    spec: { ports: [{ port: 80 }], selector: { app: 'web' } },
  };
  expect(writeLink({ name: 'web', objects: [deployment, service] }).length).toBeLessThan(200);
});

test.each([
  ['', 'link is incomplete'],
  ['1', 'link is incomplete'],
  ['1.<script>', 'link is incomplete'],
  ['2.AAAA', 'version 2'],
  ['1.!!!!', 'link is incomplete'],
  ['1.AAAA', 'damaged'],
  [`${writeLink(shared).slice(0, 40)}`, 'damaged'],
  [packedText('[]'), 'not a list of objects'],
  [packedText('{"objects":[1]}'), 'not a list of objects'],
  [packedText('{"objects":[{"kind":"Pod","apiVersion":"v1"}]}'), 'not a list of objects'],
  [packedText('{"objects":[],"__proto__":{"polluted":true}}'), '__proto__'],
  [packedText('{"objects":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","constructor":{}}}]}'), 'constructor'],
  [packed(new Uint8Array(25 * 1024 * 1024)), 'more than 20 MB'],
])('rejects %.40s with a message', (payload, words) => {
  expect(() => parseLink(payload)).toThrow(LinkError);
  expect(() => parseLink(payload)).toThrow(words);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('a view can only be a screen of this page', () => {
  expect(parseShared({ objects: [], view: 'javascript:alert(1)' }).view).toBeUndefined();
  expect(parseShared({ objects: [], view: 'https://elsewhere' }).view).toBeUndefined();
});

test('a manifest has no fields that the server sets', () => {
  const stored = {
    ...web,
    metadata: {
      ...web.metadata,
      uid: 'u',
      resourceVersion: '7',
      managedFields: [],
      annotations: { 'a.io/last-applied-configuration': '{}', note: 'mine' },
    },
    status: { replicas: 2 },
  };
  expect(toManifest(stored)).toEqual({ ...web, metadata: { ...web.metadata, annotations: { note: 'mine' } } });
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { clusterIP: '10.0.0.7', clusterIPs: ['10.0.0.7'], ports: [] },
  };
  expect(toManifest(service)['spec']).toEqual({ ports: [] });
});

test('objects of every new cluster are not shared, and namespaces come first', () => {
  const entry = (key: string, object: object) => ({ key, value: JSON.stringify(object), createRevision: 1, revision: 1 });
  const account = (more: object): object => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', ...more } });
  const system = entry('/registry/namespaces/default', { kind: 'Namespace', metadata: { name: 'default' } });
  const copy = {
    revision: 9,
    entries: [
      system,
      entry('/registry/configmaps/shop/a', { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } }),
      entry('/registry/namespaces/shop', { kind: 'Namespace', metadata: { name: 'shop' } }),
      entry('/registry/serviceaccounts/shop/default', account({})),
      entry('/registry/serviceaccounts/default/default', account({ labels: { a: 'b' } })),
      entry('/registry/events/shop/e', { kind: 'Event', metadata: { name: 'e' } }),
      entry('/registry/configmaps/shop/kube-root-ca.crt', { kind: 'ConfigMap', metadata: { name: 'kube-root-ca.crt', namespace: 'shop' } }),
      entry('/tabplane/service-account-key', {}),
    ],
  };
  expect(userObjects(copy, { revision: 1, entries: [system] }).map(({ kind }) => kind)).toEqual([
    'Namespace',
    'ServiceAccount',
    'ConfigMap',
  ]);
});
