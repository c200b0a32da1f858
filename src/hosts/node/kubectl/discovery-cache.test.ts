import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ApiResource } from '../../../kubectl/index.ts';
import { DiscoveryCache } from './discovery-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabplane-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pods: ApiResource = {
  group: '',
  version: 'v1',
  name: 'pods',
  singular: 'pod',
  kind: 'Pod',
  namespaced: true,
  verbs: ['get'],
  shortNames: ['po'],
  categories: [],
  subresources: [],
  preferred: true,
};
const hourMs = 60 * 60 * 1_000;

test('caches discovery results for later commands for six hours', async () => {
  const path = join(folder, 'deep', 'discovery.json');
  const first = await DiscoveryCache.open(path, () => 0);
  expect(first.known.size).toBe(0);
  first.known.set('https://a', [pods]);
  await first.save();
  expect([...(await DiscoveryCache.open(path, () => 5 * hourMs)).known]).toEqual([['https://a', [pods]]]);
  expect((await DiscoveryCache.open(path, () => 7 * hourMs)).known.size).toBe(0);
});

test('retains entries of other servers, and ignores a damaged cache file', async () => {
  const path = join(folder, 'discovery.json');
  writeFileSync(path, '{"https://a": {"at');
  const [one, other] = [await DiscoveryCache.open(path, () => 0), await DiscoveryCache.open(path, () => 0)];
  one.known.set('https://a', [pods]);
  other.known.set('https://b', []);
  await one.save();
  await other.save();
  expect([...(await DiscoveryCache.open(path, () => 0)).known.keys()].sort()).toEqual(['https://a', 'https://b']);
});
