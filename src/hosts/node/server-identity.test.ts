import { expect, test } from 'vitest';
import { productByName } from '../../meta/index.ts';
import { serverIdentity } from './server-identity.ts';

test('the identity is a hash of the name of the host and the component, as in kube-apiserver', () => {
  const { id, hostname } = serverIdentity('vm', productByName('kubernetes'));
  expect(hostname).toBe('vm');
  expect(id).toBe('apiserver-wlv32tlttr4jl3gtroqexyxapa');
  expect(serverIdentity('other', productByName('kubernetes')).id).not.toBe(id);
});
