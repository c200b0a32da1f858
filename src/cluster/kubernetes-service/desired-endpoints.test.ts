import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { desiredEndpoints, desiredSlice, isDesiredEndpoints, isDesiredSlice } from './desired-endpoints.ts';

const product = productByName('kubernetes');
const servers = { ips: ['192.0.2.1', '192.0.2.2'], port: 6443 };
const endpoints = desiredEndpoints(servers, product);
const slice = desiredSlice(servers, product);
const port = { name: 'https', port: 6443, protocol: 'TCP' };

test('writes all addresses in one subset, which is not mirrored', () => {
  expect(endpoints).toEqual({
    metadata: { name: 'kubernetes', namespace: 'default', labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    subsets: [{ addresses: [{ ip: '192.0.2.1' }, { ip: '192.0.2.2' }], ports: [port] }],
  });
  expect(slice).toMatchObject({
    metadata: { name: 'kubernetes', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }, { addresses: ['192.0.2.2'] }],
    ports: [port],
  });
});

test('writes no subset without servers', () => {
  expect(desiredEndpoints({ ips: [], port: 6443 }, product).subsets).toEqual([]);
  expect(desiredSlice({ ips: [], port: 6443 }, product)).toMatchObject({ addressType: 'IPv4', endpoints: [], ports: [] });
});

test('writes a slice of IPv6 addresses', () => {
  expect(desiredSlice({ ips: ['2001:db8::1'], port: 6443 }, product).addressType).toBe('IPv6');
});

const other = desiredEndpoints({ ips: ['192.0.2.1'], port: 6443 }, product);
const labels = { ...endpoints.metadata?.labels, team: 'a' };

test.each([
  ['the desired Endpoints', endpoints, true],
  ['other labels', { ...endpoints, metadata: { ...endpoints.metadata, labels } }, true],
  ['a missing label', { ...endpoints, metadata: { name: 'kubernetes' } }, false],
  ['other addresses', { ...endpoints, subsets: other.subsets ?? [] }, false],
  ['another port', desiredEndpoints({ ...servers, port: 7443 }, product), false],
  ['two subsets', { ...endpoints, subsets: [...(endpoints.subsets ?? []), ...(other.subsets ?? [])] }, false],
])('compares Endpoints with %s', (_, stored, isDesired) => {
  expect(isDesiredEndpoints(stored, endpoints)).toBe(isDesired);
});

test.each([
  ['the desired slice', slice, true],
  ['other labels', { ...slice, metadata: { ...slice.metadata, labels: { ...slice.metadata?.labels, team: 'a' } } }, false],
  ['other endpoints', desiredSlice({ ips: ['192.0.2.1'], port: 6443 }, product), false],
  [
    'an endpoint that is not ready',
    { ...slice, endpoints: servers.ips.map((ip) => ({ addresses: [ip], conditions: { ready: false } })) },
    false,
  ],
])('compares a slice with %s', (_, stored, isDesired) => {
  expect(isDesiredSlice(stored, slice)).toBe(isDesired);
});
