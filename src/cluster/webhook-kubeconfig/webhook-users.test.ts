import { expect, test } from 'vitest';
import { WebhookFailure } from '../../admission/index.ts';
import { createManualClock } from '../../env/index.ts';
import { productByName } from '../../meta/index.ts';
import type { WebhookUser, WebhookUsers } from '../access/webhook-post.ts';
import { readWebhookUsers } from './webhook-users.ts';

const pem = (type: string): string => `-----BEGIN ${type}-----\nAA==\n-----END ${type}-----\n`;

/** The users of a kubeconfig whose current context has the user `current`. */
function read(users: Readonly<Record<string, object>>, files: Record<string, string> = {}): WebhookUsers {
  const config = {
    users: Object.entries(users).map(([name, user]) => ({ name, user })),
    contexts: [{ name: 'x', context: { user: 'current' } }],
    'current-context': 'x',
  };
  return readWebhookUsers(JSON.stringify(config), {
    path: '/etc/hooks/config',
    userAgent: 'agent',
    product: productByName('kubernetes'),
    clock: createManualClock(),
    plugins: { isTerminal: () => false, run: () => Promise.reject(new Error('no plugin runs')) },
    async readFile(path) {
      const content = files[path];
      if (content === undefined) throw new Error(`open ${path}: no such file or directory`);
      return content;
    },
  });
}

const authorizationOf = async ({ credentials }: WebhookUser): Promise<string | undefined> =>
  (await credentials?.current())?.headers['authorization'];

test.each([
  ['a.example.com:8443', 'exact'],
  ['b.example.com:8443', 'of the port'],
  ['b.example.com:443', 'of the domain'],
  ['c.d.org:443', 'without port'],
  ['x.c.d.org:443', 'star without port'],
  ['x.c.d.org:8443', 'any'],
  ['d.org:443', 'any'],
])('the server %s gets the credentials %s', async (server, token) => {
  const users = read({
    'a.example.com:8443': { token: 'exact' },
    '*.example.com:8443': { token: 'of the port' },
    '*.com:443': { token: 'of the domain' },
    'b.example.com': { token: 'unused: the port is tried first' },
    'c.d.org': { token: 'without port' },
    '*.d.org': { token: 'star without port' },
    '*': { token: 'any' },
    current: { token: 'unused' },
  });
  expect(await authorizationOf(await users(server))).toBe(`Bearer ${token}`);
});

test('other servers get those of the current context, or none', async () => {
  expect(await authorizationOf(await read({ current: { username: 'a', password: 'b' } })('h:1'))).toBe(`Basic ${btoa('a:b')}`);
  expect(await read({ other: { token: 't' } })('h:1')).toEqual({
    headers: { 'user-agent': 'agent' },
    credentials: undefined,
    identity: undefined,
  });
});

test('a user may have a token file, a certificate and another identity', async () => {
  const files = { '/etc/hooks/token': 't', '/c': pem('CERTIFICATE'), '/k': pem('PRIVATE KEY') };
  const user = await read({ '*': { tokenFile: 'token', 'client-certificate': '/c', 'client-key': '/k', as: 'me' } }, files)('h:1');
  expect(await authorizationOf(user)).toBe('Bearer t');
  expect(user).toMatchObject({
    identity: { certificate: pem('CERTIFICATE'), key: pem('PRIVATE KEY') },
    headers: { 'impersonate-user': 'me' },
  });
});

test.each([
  [{ 'auth-provider': { name: 'gcp' } }, 'auth provider not supported'],
  [{ tokenFile: 'none' }, 'open /etc/hooks/none: no such file or directory'],
  [{ tokenFile: 'token', username: 'a' }, 'username/password or bearer token may be set, but not both'],
])('the user %j is an error of the call', async (user, why) => {
  const call = read({ '*': user }, { '/etc/hooks/token': 't' })('h:1');
  await expect(call).rejects.toThrow(new WebhookFailure(`could not get REST client: ${why}`));
});

test('a user is read once, and again after an error', async () => {
  const files: Record<string, string> = {};
  const users = read({ '*': { tokenFile: 'token' } }, files);
  await expect(users('h:1')).rejects.toThrow('no such file');
  files['/etc/hooks/token'] = 't';
  const user = await users('h:1');
  expect(await users('i:2')).toBe(user);
});
