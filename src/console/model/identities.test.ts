import { expect, test } from 'vitest';
import { credentialHeaders, parseCurrentContext } from './identities.ts';
import { newKubeconfig } from './new-kubeconfig.ts';

const admin = { token: 'admin-token', as: '', asGroups: [], needsTransport: false };
const nobody = { token: '', as: '', asGroups: [], needsTransport: false };

test('a new home is admin in namespace default', () => {
  expect(parseCurrentContext(newKubeconfig())).toEqual({ name: 'admin', user: 'admin', namespace: 'default', credentials: admin });
});

test('reads user and namespace of the current context, in any order of the fields', () => {
  const config = newKubeconfig().replace('current-context: admin', 'current-context: "alice"');
  expect(parseCurrentContext(config)).toEqual({
    name: 'alice',
    user: 'alice',
    namespace: 'default',
    credentials: { ...admin, token: 'alice-token' },
  });
  const indented =
    'contexts:\n  - name: dev\n    context:\n      user: bob\n      namespace: shop\n      cluster: local\ncurrent-context: dev\n';
  expect(parseCurrentContext(indented)).toEqual({ name: 'dev', user: 'bob', namespace: 'shop', credentials: nobody });
});

test('a file without a current context has no user', () => {
  expect(parseCurrentContext('apiVersion: v1\nkind: Config\n')).toEqual({ name: '', user: '', namespace: 'default', credentials: nobody });
});

test('reads an impersonated user with the groups, and sends them', () => {
  const config = [
    'contexts:',
    '- context:',
    '    user: try',
    '  name: try',
    'current-context: try',
    'users:',
    '- name: other',
    '  user:',
    '    as: nobody',
    '- name: try',
    '  user:',
    '    as: jane',
    '    as-groups:',
    '    - dev',
    '    - "qa team"',
    '    token: admin-token',
    '',
  ].join('\n');
  const { credentials } = parseCurrentContext(config);
  expect(credentials).toEqual({ token: 'admin-token', as: 'jane', asGroups: ['dev', 'qa team'], needsTransport: false });
  expect(credentialHeaders(credentials)).toEqual([
    ['authorization', 'Bearer admin-token'],
    ['impersonate-user', 'jane'],
    ['impersonate-group', 'dev'],
    ['impersonate-group', 'qa team'],
  ]);
});
