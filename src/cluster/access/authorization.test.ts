import { expect, test } from 'vitest';
import { type AuthorizerSettings, buildAuthorizerSettings, RoleIndex, resourceAttributes } from '../../authz/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../../env/index.ts';
import { createFeatureGates, productByName } from '../../meta/index.ts';
import { ObjectStore } from '../../registry/index.ts';
import { createCatalog } from '../../schema/index.ts';
import { Metrics } from '../../server/index.ts';
import { createMemoryKeySpace } from '../../storage/index.ts';
import { type AuthorizerChoice, authorizationDefaults, createAuthorization } from './authorization.ts';

function authorizationOf(...modes: string[]) {
  const product = productByName('kubernetes');
  const clock = createManualClock(0);
  const metrics = new Metrics({ gates: createFeatureGates(), configurations: [], clock: createManualClock(0) });
  let change: (choice: AuthorizerChoice) => void = () => {};
  const authorization = createAuthorization(
    {
      ...authorizationDefaults,
      authorizers: buildAuthorizerSettings(modes),
      watch: (listener) => {
        change = listener;
        return () => {};
      },
    },
    {
      store: new ObjectStore(createMemoryKeySpace(clock), { nameCorrupt: false }),
      catalog: createCatalog(product),
      product,
      env: { clock, random: createSeededRandom(1), log: createMemoryLog() },
      roles: new RoleIndex(),
      defaults: [],
      metrics,
    },
  );
  const bob = { username: 'bob', uid: '', groups: [], extra: {} };
  return {
    metrics,
    verdict: async () => (await authorization.authorize(resourceAttributes(bob, { verb: 'get', group: '', resource: 'pods' }))).verdict,
    change: (authorizers: readonly AuthorizerSettings[]) => change({ ...authorizationDefaults, authorizers }),
  };
}

test('applies new settings while requests continue', async () => {
  const { verdict, change } = authorizationOf('RBAC');
  expect(await verdict()).toBe('no-opinion');
  change(buildAuthorizerSettings(['RBAC', 'AlwaysAllow']));
  expect(await verdict()).toBe('allow');
});

test('rejects invalid settings, and retains the old ones', async () => {
  const { verdict, change } = authorizationOf('RBAC', 'AlwaysAllow');
  expect(() => change(buildAuthorizerSettings(['AlwaysDeny']))).toThrow('missing required types: [AlwaysAllow RBAC]');
  expect(() => change(buildAuthorizerSettings(['RBAC', 'AlwaysAllow', 'Node']))).toThrow(
    'authorizer type Node is not allowed if it was not enabled at initial server startup',
  );
  expect(await verdict()).toBe('allow');
});

test('counts decisions, but not no-opinion results', async () => {
  const { verdict, metrics } = authorizationOf('RBAC', 'AlwaysAllow');
  await verdict();
  await verdict();
  const decisions = metrics.families().find(({ name }) => name === 'apiserver_authorization_decisions_total');
  expect(decisions?.samples).toEqual([{ labels: { decision: 'allowed', name: 'alwaysallow', type: 'AlwaysAllow' }, value: 2 }]);
});
