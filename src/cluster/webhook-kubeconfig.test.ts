import { expect, test } from 'vitest';
import { readWebhookConnection } from './webhook-kubeconfig.ts';

const config = (cluster: object, user: object, more: object = {}): string =>
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'https://hook/x', ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
    ...more,
  });
const read = (text: string) => readWebhookConnection('/etc/hook/config', text, 'agent', (path) => Promise.resolve(`content of ${path}\n`));

test('data stands in the file, other files beside it', async () => {
  expect(await read(config({ 'certificate-authority-data': btoa('CA') }, { token: 't' }))).toEqual({
    url: 'https://hook/x',
    headers: { 'user-agent': 'agent', authorization: 'Bearer t' },
    tls: { authorities: 'CA', identity: undefined, serverName: undefined, unverified: false },
  });
  const byFiles = await read(
    config(
      { 'certificate-authority': 'ca.pem', 'tls-server-name': 'other' },
      { tokenFile: '/t', 'client-certificate': 'c.pem', 'client-key': '/k.pem' },
    ),
  );
  expect(byFiles).toMatchObject({
    headers: { authorization: 'Bearer content of /t' },
    tls: {
      authorities: 'content of /etc/hook/ca.pem\n',
      identity: { certificate: 'content of /etc/hook/c.pem\n', key: 'content of /k.pem\n' },
      serverName: 'other',
    },
  });
});

test('a name and a password are basic credentials', async () => {
  const { headers } = await read(config({}, { username: 'a', password: 'b' }));
  expect(headers['authorization']).toBe(`Basic ${btoa('a:b')}`);
});

test.each([
  [config({}, {}, { 'current-context': '' }), 'invalid configuration: no configuration has been provided'],
  [config({}, {}, { 'current-context': 'y' }), 'invalid configuration: context was not found for specified context: y'],
  [config({}, {}, { clusters: [] }), 'invalid configuration: cluster "c" was not found for context "x"'],
  ['a: b: c', 'error loading config file "/etc/hook/config": yaml: '],
])('%s leads nowhere', async (text, message) => {
  await expect(read(text)).rejects.toThrow(message);
});
