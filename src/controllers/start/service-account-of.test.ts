import { expect, test } from 'vitest';
import roles from '../../authz/defaults/default-roles.json' with { type: 'json' };
import { allControllers } from '../all/index.ts';
import { serviceAccountOf } from './service-account-of.ts';

const bindings = JSON.stringify([roles.clusterRoleBindings, roles.roleBindings]);

test('the service account of each controller has default roles', () => {
  const accounts = Object.keys(allControllers).map(serviceAccountOf);
  const unbound = accounts.filter((account) => account !== undefined && !new RegExp(`[/:]${account}"`).test(bindings));
  expect(unbound).toEqual([]);
});

test('the controller that makes tokens needs no service account', () => {
  expect(serviceAccountOf('serviceaccount-token-controller')).toBeUndefined();
});
