import { expect, test } from 'vitest';
import { answer, createScriptedApi } from '../../client/client.fake.ts';
import { ApiClient } from '../../client/index.ts';
import { productByName } from '../../meta/index.ts';
import { appsv1Deployments, appsv1ReplicaSets } from '../../schema/api/index.ts';
import { annotationNames } from './annotations.ts';
import { deploymentWith, setWith } from './deployment.test-support.ts';
import { Rollout } from './rollout.ts';

function createRollout(...responses: readonly object[]) {
  const product = productByName('kubernetes');
  const { handle, requests } = createScriptedApi(responses.map((body) => answer(200, JSON.stringify(body))));
  const client = new ApiClient({ api: handle, product, signal: new AbortController().signal });
  const events: string[] = [];
  const context = {
    deployments: client.resource(appsv1Deployments),
    replicaSets: client.resource(appsv1ReplicaSets),
    cachedSet: () => undefined,
    recorder: { event: (_: unknown, type: string, reason: string, message: string) => void events.push(`${type} ${reason} ${message}`) },
    names: annotationNames(product),
    nowMs: () => 0,
  };
  const rollout = new Rollout(context, deploymentWith({}, { replicas: 1 }), [setWith('a', 1)]);
  return { rollout, events, methods: () => requests.map(({ method, target }) => `${method} ${target.split('/').slice(5).join('/')}`) };
}

test('writes a status that changes; numbers of 0 are the same as absent ones', async () => {
  const { rollout, methods } = createRollout(deploymentWith({}, { replicas: 2 }));
  expect(await rollout.updateStatus({ replicas: 1, readyReplicas: 0, conditions: [] })).toBe(false);
  expect(await rollout.updateStatus({ replicas: 2 })).toBe(true);
  expect(await rollout.updateStatus({ replicas: 2, updatedReplicas: 0 })).toBe(false);
  expect([methods(), rollout.deployment.status.replicas]).toEqual([['PUT default/deployments/web/status'], 2]);
});

test('scales a set with an event, and uses the written set from then on', async () => {
  const { rollout, events, methods } = createRollout(setWith('a', 3));
  const set = setWith('a', 1);
  expect(await rollout.scaleSet({ set, replicas: 1 })).toBe(false);
  expect(await rollout.scaleSet({ set, replicas: 3 })).toBe(true);
  expect([events, methods()]).toEqual([['Normal ScalingReplicaSet Scaled up replica set a from 1 to 3'], ['PUT default/replicasets/a']]);
  expect(rollout.sets.newSet?.spec.replicas).toBe(3);
});
