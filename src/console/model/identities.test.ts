import { expect, test } from 'vitest';
import { currentContext, newKubeconfig } from './identities.ts';

test('a new home is admin in namespace default', () => {
  expect(currentContext(newKubeconfig())).toEqual({ name: 'admin', user: 'admin', namespace: 'default' });
});

test('the context that is current tells user and namespace, whatever order it is written in', () => {
  const config = newKubeconfig().replace('current-context: admin', 'current-context: "alice"');
  expect(currentContext(config)).toEqual({ name: 'alice', user: 'alice', namespace: 'default' });
  const indented =
    'contexts:\n  - name: dev\n    context:\n      user: bob\n      namespace: shop\n      cluster: local\ncurrent-context: dev\n';
  expect(currentContext(indented)).toEqual({ name: 'dev', user: 'bob', namespace: 'shop' });
});

test('a file without a current context names nobody', () => {
  expect(currentContext('apiVersion: v1\nkind: Config\n')).toEqual({ name: '', user: '', namespace: 'default' });
});
