import { expect, test } from 'vitest';
import type { DnsAnswer } from './network-namespace.ts';
import { resolveName, searchNames } from './resolver.ts';

const config = { searches: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'], ndots: 5 };

test('a short name is looked up below the search paths first', () => {
  expect(searchNames('web', config)).toEqual(['web.default.svc.cluster.local.', 'web.svc.cluster.local.', 'web.cluster.local.', 'web.']);
});

test('a name with ndots dots is looked up as it is first, one with a final dot only as it is', () => {
  expect(searchNames('a.b', { ...config, ndots: 1 })[0]).toBe('a.b.');
  expect(searchNames('a.b.', config)).toEqual(['a.b.']);
});

test('the first name with records answers', async () => {
  const queried: string[] = [];
  const found: DnsAnswer = { code: 'NOERROR', records: [{ name: 'web.svc.cluster.local.', type: 'A', ttlSeconds: 5, value: '10.96.0.9' }] };
  const query = async (name: string): Promise<DnsAnswer> => {
    queried.push(name);
    return name === 'web.svc.cluster.local.' ? found : { code: 'NXDOMAIN', records: [] };
  };
  expect(await resolveName({ query }, 'web', 'A', config)).toBe(found);
  expect(queried).toEqual(['web.default.svc.cluster.local.', 'web.svc.cluster.local.']);
});
