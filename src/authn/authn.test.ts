import { expect, test } from 'vitest';
import { createRequestAuthenticator, readTokenFile, TokenFileError, tokenFileAuthenticator } from './index.ts';

const csv = 'admin-token,admin,u-admin,"system:masters"\nalice-token,alice,u-alice,"dev,qa"\nbob-token,bob,u-bob\n';
const authn = createRequestAuthenticator([tokenFileAuthenticator(readTokenFile(csv))], { anonymous: true });

test('a token of the file gives its user, with the group of all that are authenticated', async () => {
  const { user, by } = await authn.authenticate('bEaReR alice-token trailing');
  expect(user).toEqual({ username: 'alice', uid: 'u-alice', groups: ['dev', 'qa', 'system:authenticated'], extra: {} });
  expect(by).toBe('token file');
  expect((await authn.authenticate('Bearer bob-token')).user.groups).toEqual(['system:authenticated']);
});

test('without credentials a request is anonymous, and with two spaces too', async () => {
  expect((await authn.authenticate(null)).user.groups).toEqual(['system:unauthenticated']);
  expect((await authn.authenticate('Bearer  admin-token')).user.username).toBe('system:anonymous');
});

test('a token that nobody knows is refused', async () => {
  await expect(authn.authenticate('Bearer wrong')).rejects.toMatchObject({ code: 401, message: 'Unauthorized' });
});

test('a line with fewer than three columns is refused', () => {
  expect(() => readTokenFile('only,two\n')).toThrow(TokenFileError);
  expect(() => readTokenFile(',x,y\n')).toThrow(TokenFileError);
});
