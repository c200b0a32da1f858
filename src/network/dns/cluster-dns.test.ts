import { expect, test } from 'vitest';
import type { RecordType } from '../network-namespace.ts';
import { scriptedState } from '../scripted-state.test-support.ts';
import { queryClusterDns } from './cluster-dns.ts';
import { reverseName } from './reverse-name.ts';

const state = scriptedState({
  services: [
    { metadata: { name: 'web' }, spec: { clusterIPs: ['10.96.0.10', 'fd00::10'], ports: [{ name: 'http', port: 80 }] } },
    { metadata: { name: 'db' }, spec: { clusterIP: 'None', clusterIPs: ['None'], ports: [] } },
    { metadata: { name: 'alias' }, spec: { type: 'ExternalName', externalName: 'web.default.svc.cluster.local' } },
    { metadata: { name: 'loop' }, spec: { type: 'ExternalName', externalName: 'loop.default.svc.cluster.local' } },
    { metadata: { name: 'out' }, spec: { type: 'ExternalName', externalName: 'example.com' } },
  ],
  slices: [
    {
      metadata: { name: 'db' },
      ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
      endpoints: [
        { addresses: ['10.244.0.5'], hostname: 'db-0', conditions: { ready: true } },
        { addresses: ['10.244.0.6'], conditions: {} },
        { addresses: ['10.244.0.7'], hostname: 'db-2', conditions: { ready: false } },
      ],
    },
  ],
});

function lookUp(name: string, type: RecordType = 'A'): string {
  const { code, records } = queryClusterDns(state, name, type);
  return [code, ...records.map((record) => `${record.type} ${record.value}`)].join(', ');
}

test.each([
  ['web.default.svc.cluster.local.', 'A', 'NOERROR, A 10.96.0.10'],
  ['WEB.default.svc.cluster.local.', 'AAAA', 'NOERROR, AAAA fd00::10'],
  ['web.default.svc.cluster.local.', 'PTR', 'NOERROR'],
  ['web.other.svc.cluster.local.', 'A', 'NXDOMAIN'],
  ['_http._tcp.web.default.svc.cluster.local.', 'SRV', 'NOERROR, SRV 0 100 80 web.default.svc.cluster.local.'],
  ['_x._tcp.web.default.svc.cluster.local.', 'SRV', 'NXDOMAIN'],
  ['db.default.svc.cluster.local.', 'A', 'NOERROR, A 10.244.0.5, A 10.244.0.6'],
  ['db-0.db.default.svc.cluster.local.', 'A', 'NOERROR, A 10.244.0.5'],
  ['10-244-0-6.db.default.svc.cluster.local.', 'A', 'NOERROR, A 10.244.0.6'],
  ['db-2.db.default.svc.cluster.local.', 'A', 'NXDOMAIN'],
  [
    '_sql._tcp.db.default.svc.cluster.local.',
    'SRV',
    'NOERROR, SRV 0 100 5432 db-0.db.default.svc.cluster.local., SRV 0 100 5432 10-244-0-6.db.default.svc.cluster.local.',
  ],
  ['out.default.svc.cluster.local.', 'A', 'NOERROR, CNAME example.com.'],
  ['alias.default.svc.cluster.local.', 'A', 'NOERROR, CNAME web.default.svc.cluster.local., A 10.96.0.10'],
  ['alias.default.svc.cluster.local.', 'CNAME', 'NOERROR, CNAME web.default.svc.cluster.local.'],
  ['10-244-0-9.default.pod.cluster.local.', 'A', 'NOERROR, A 10.244.0.9'],
  ['10.0.96.10.in-addr.arpa.', 'PTR', 'NOERROR, PTR web.default.svc.cluster.local.'],
  ['11.0.96.10.in-addr.arpa.', 'PTR', 'NXDOMAIN'],
  ['5.0.244.10.in-addr.arpa.', 'PTR', 'NOERROR, PTR db-0.db.default.svc.cluster.local.'],
  ['example.com.', 'A', 'NXDOMAIN'],
] as const)('%s %s is %s', (name, type, expected) => {
  expect(lookUp(name, type)).toBe(expected);
});

test('an alias of itself ends', () => {
  expect(queryClusterDns(state, 'loop.default.svc.cluster.local.', 'A').records.length).toBe(8);
});

test('the name of an address leads back to it', () => {
  expect(reverseName('10.96.0.10')).toBe('10.0.96.10.in-addr.arpa.');
  expect(lookUp(reverseName('fd00::10') ?? '', 'PTR')).toBe('NOERROR, PTR web.default.svc.cluster.local.');
});
