import { expect, test } from 'vitest';
import { formatPem } from '../../x509/index.ts';
import { authenticationDefaults } from '../index.ts';
import { startTestCluster, testTokens } from '../test-cluster.test-support.ts';
import { mergeAuthorities } from './publish-authorities.ts';

const pem = (...bytes: readonly number[]): string => formatPem('CERTIFICATE', Uint8Array.from(bytes));
const frontProxy = {
  pem: pem(9),
  allowedNames: ['proxy'],
  username: ['x-user'],
  uid: [],
  groups: ['x-group'],
  extraPrefixes: ['x-extra-'],
};
const nothing = { clients: undefined, frontProxy: undefined };

test('adds the authorities of this server to those of others', () => {
  expect(mergeAuthorities({}, nothing)).toEqual({});
  expect(mergeAuthorities({ 'client-ca-file': pem(1), other: 'x' }, { ...nothing, clients: pem(2) })).toEqual({
    'client-ca-file': `${pem(1)}${pem(2)}`,
  });
  expect(mergeAuthorities({ 'client-ca-file': `${pem(1)}${pem(2)}` }, { ...nothing, clients: pem(2) })).toEqual({
    'client-ca-file': `${pem(1)}${pem(2)}`,
  });
});

test('adds the names and headers of the front proxy', () => {
  const published = { 'requestheader-allowed-names': '["other"]', 'requestheader-uid-headers': '' };
  expect(mergeAuthorities(published, { ...nothing, frontProxy })).toEqual({
    'requestheader-allowed-names': '["other","proxy"]',
    'requestheader-client-ca-file': pem(9),
    'requestheader-extra-headers-prefix': '["x-extra-"]',
    'requestheader-group-headers': '["x-group"]',
    'requestheader-username-headers': '["x-user"]',
  });
  expect(mergeAuthorities({}, { ...nothing, frontProxy: { ...frontProxy, uid: ['x-uid'] } })).toMatchObject({
    'requestheader-uid-headers': '["x-uid"]',
  });
  expect(() => mergeAuthorities({ 'requestheader-username-headers': '{broken' }, { ...nothing, frontProxy })).toThrow(SyntaxError);
});

test('publishes the authorities in a new cluster, and again after they are deleted', async () => {
  const cluster = await startTestCluster({
    authentication: { ...authenticationDefaults, tokens: testTokens, ownAuthorities: { ...nothing, clients: pem(1) } },
  });
  const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
  const published = async (): Promise<unknown> => (await cluster.until(path, ({ data }) => data !== undefined))['data'];
  expect(await published()).toEqual({ 'client-ca-file': pem(1) });
  await cluster.send('DELETE', path);
  expect(await published()).toEqual({ 'client-ca-file': pem(1) });
  await cluster.close();
});
