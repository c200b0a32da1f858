import { expect, test } from 'vitest';
import { parseFlags } from '../flags/flags.ts';

test('returns undefined without servers', () => {
  expect(parseFlags(['--etcd-prefix=/other']).etcd).toBeUndefined();
});

test("reads the real server's etcd flags, with its defaults", () => {
  expect(parseFlags(['--etcd-servers=https://a:2379,b:2379', '--etcd-prefix', 'x//y/']).etcd).toEqual({
    servers: ['https://a:2379', 'http://b:2379'],
    caFile: undefined,
    identity: undefined,
    prefix: '/x/y',
    mediaType: 'application/vnd.kubernetes.protobuf',
    eventTtlSeconds: 3600,
  });
  expect(parseFlags(['--etcd-servers=http://a:1']).etcd?.prefix).toBe('/registry');
});

test.each([
  [
    ['--etcd-servers=https://a:1', '--etcd-certfile=/c'],
    'Error creating leases: error creating storage factory: KeyFile and CertFile must both be present[key: , cert: /c]',
  ],
  [
    ['--etcd-servers=http://a:1', '--storage-media-type=foo'],
    '--storage-media-type "foo" invalid, allowed values: application/json, application/vnd.kubernetes.protobuf, application/yaml',
  ],
  [['--etcd-servers=http://a:1', '--data-dir=/d'], '--data-dir and --etcd-servers exclude each other'],
])("rejects %j with the real server's message", (words, message) => {
  expect(() => parseFlags(['--names=kubernetes', ...words])).toThrow(message);
});
