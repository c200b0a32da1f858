import { expect, test } from 'vitest';
import { type AuthorizerSettings, RoleIndex, resourceAttributes, settingsOfModes } from '../authz/index.ts';
import { createManualClock, createMemoryLog, createSeededRandom } from '../env/index.ts';
import { createFeatureGates, productNamed } from '../meta/index.ts';
import { ObjectStore } from '../registry/index.ts';
import { createCatalog } from '../schema/index.ts';
import { Metrics } from '../server/index.ts';
import { createMemoryKeySpace } from '../storage/index.ts';
import { type AuthorizerChoice, authorizationDefaults, createAuthorization } from './authorization.ts';

function authorizationOf(...modes: string[]) {
  const product = productNamed('kubernetes');
  const clock = createManualClock(0);
  const metrics = new Metrics(createFeatureGates());
  const log = createMemoryLog();
  let change: (choice: AuthorizerChoice) => void = () => {};
  const authorization = createAuthorization(
    {
      ...authorizationDefaults,
      authorizers: settingsOfModes(modes),
      follow: (told) => {
        change = told;
        return () => {};
      },
    },
    {
      store: new ObjectStore(createMemoryKeySpace(clock), { nameCorrupt: false }),
      catalog: createCatalog(product),
      product,
      env: { clock, random: createSeededRandom(1), log },
      roles: new RoleIndex(),
      defaults: [],
      metrics,
    },
  );
  const bob = { username: 'bob', uid: '', groups: [], extra: {} };
  return {
    log,
    metrics,
    verdict: async () => (await authorization.authorize(resourceAttributes(bob, { verb: 'get', group: '', resource: 'pods' }))).verdict,
    change: (authorizers: readonly AuthorizerSettings[]) => change({ authorizers, connections: new Map() }),
  };
}

test('other settings take their place while requests go on', async () => {
  const { verdict, change } = authorizationOf('RBAC');
  expect(await verdict()).toBe('no-opinion');
  change(settingsOfModes(['RBAC', 'AlwaysAllow']));
  expect(await verdict()).toBe('allow');
});

test('settings that cannot be used leave the old ones in force, and are told', async () => {
  const { verdict, change, log } = authorizationOf('RBAC', 'AlwaysAllow');
  change(settingsOfModes(['AlwaysDeny']));
  change(settingsOfModes(['RBAC', 'AlwaysAllow', 'Node']));
  expect(await verdict()).toBe('allow');
  expect(log.lines.map(({ details }) => String((details as { error: Error }).error.message))).toEqual([
    'missing required types: [AlwaysAllow RBAC]',
    'authorizer type Node is not allowed if it was not enabled at initial server startup',
  ]);
});

test('decisions are counted, opinions that nobody had are not', async () => {
  const { verdict, metrics } = authorizationOf('RBAC', 'AlwaysAllow');
  await verdict();
  await verdict();
  const lines = metrics
    .text()
    .split('\n')
    .filter((line) => line.startsWith('apiserver_authorization_decisions_total'));
  expect(lines).toEqual(['apiserver_authorization_decisions_total{decision="allowed",name="alwaysallow",type="AlwaysAllow"} 2']);
});
