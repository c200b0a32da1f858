import { isJsonObject, type JsonObject, objectsAt, type Product } from '../../../meta/index.ts';
import { formatGroupKind } from '../../api/discovery.ts';
import { bool, duration, int } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { fileFlags, selectorFlag } from '../../program/global-flags.ts';
import { type Info, metadataOf } from '../../resources/info.ts';
import { watchObject } from '../../resources/watch-object.ts';
import { reportNoObjects, selectObjects } from './pause-resume-restart.ts';

export const status: Command = {
  flags: {
    ...fileFlags,
    ...selectorFlag,
    revision: int(0),
    timeout: duration(),
    watch: bool(true, 'w'),
  },
  run: runStatus,
};

interface RolloutState {
  readonly text: string;
  readonly done: boolean;
}

async function runStatus(call: Call): Promise<number> {
  let found = false;
  await (await selectObjects(call)).visit((info) => {
    found = true;
    return followRollout(call, info);
  });
  return found ? 0 : reportNoObjects(call);
}

async function followRollout(call: Call, info: Info): Promise<void> {
  const { flags, shell } = call;
  const limit = flags.duration('timeout');
  const endMs = limit > 0 ? shell.clock.monotonicMs() + limit : Infinity;
  let printed = '';
  for await (const object of watchObject(call, info, endMs)) {
    if (object === undefined) throw new KubectlError('object has been deleted');
    const state = rolloutState(call, info, object);
    if (state.text !== printed) call.out(state.text);
    printed = state.text;
    if (state.done || !flags.bool('watch')) return;
  }
  throw new KubectlError('timed out waiting for the condition');
}

function section(object: JsonObject, name: string): JsonObject {
  return isJsonObject(object[name]) ? object[name] : {};
}

function rolloutState({ flags, product }: Call, { resource, name }: Info, object: JsonObject): RolloutState {
  const revision = flags.int('revision');
  const [spec, found] = [section(object, 'spec'), section(object, 'status')];
  const count = (member: string): number => Number(found[member] ?? 0);
  const observed = Number(metadataOf(object)['generation'] ?? 0) <= count('observedGeneration');
  switch (formatGroupKind(resource)) {
    case 'Deployment.apps':
      if (revision > 0) checkRevision(object, revision, product);
      return deploymentState({ name, spec, found, observed });
    case 'DaemonSet.apps': {
      if (section(spec, 'updateStrategy')['type'] !== 'RollingUpdate')
        throw new KubectlError('rollout status is only available for RollingUpdate strategy type');
      if (!observed) return { text: 'Waiting for daemon set spec update to be observed...\n', done: false };
      const wanted = count('desiredNumberScheduled');
      const [updated, available] = [count('updatedNumberScheduled'), count('numberAvailable')];
      if (updated < wanted)
        return {
          text: `Waiting for daemon set ${JSON.stringify(name)} rollout to finish: ${updated} out of ${wanted} new pods have been updated...\n`,
          done: false,
        };
      if (available < wanted)
        return {
          text: `Waiting for daemon set ${JSON.stringify(name)} rollout to finish: ${available} of ${wanted} updated pods are available...\n`,
          done: false,
        };
      return { text: `daemon set ${JSON.stringify(name)} successfully rolled out\n`, done: true };
    }
    case 'StatefulSet.apps':
      return statefulSetState(spec, found, observed);
    default:
      throw new KubectlError(`no status viewer has been implemented for ${formatGroupKind(resource)}`);
  }
}

interface DeploymentParts {
  readonly name: string;
  readonly spec: JsonObject;
  readonly found: JsonObject;
  readonly observed: boolean;
}

function checkRevision(deployment: JsonObject, revision: number, product: Product): void {
  const annotations = section(metadataOf(deployment), 'annotations');
  const live = Number(annotations[product.rename('deployment.kubernetes.io/revision')] ?? 0);
  if (live !== revision) throw new KubectlError(`desired revision (${revision}) is different from the running revision (${live})`);
}

function deploymentState({ name, spec, found, observed }: DeploymentParts): RolloutState {
  if (!observed) return { text: 'Waiting for deployment spec update to be observed...\n', done: false };
  const conditions = objectsAt(found, 'conditions');
  if (conditions.some((one) => one['type'] === 'Progressing' && one['reason'] === 'ProgressDeadlineExceeded')) {
    throw new KubectlError(`deployment ${JSON.stringify(name)} exceeded its progress deadline`);
  }
  const [wanted, updated, all, available] = [
    Number(spec['replicas'] ?? 1),
    ...['updatedReplicas', 'replicas', 'availableReplicas'].map((member) => Number(found[member] ?? 0)),
  ] as [number, number, number, number];
  const waiting = (what: string): RolloutState => ({
    text: `Waiting for deployment ${JSON.stringify(name)} rollout to finish: ${what}...\n`,
    done: false,
  });
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new replicas have been updated`);
  if (all > updated) return waiting(`${all - updated} old replicas are pending termination`);
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`);
  return { text: `deployment ${JSON.stringify(name)} successfully rolled out\n`, done: true };
}

function statefulSetState(spec: JsonObject, found: JsonObject, observed: boolean): RolloutState {
  const strategy = section(spec, 'updateStrategy');
  if (strategy['type'] !== 'RollingUpdate') throw new KubectlError(`rollout status is only available for RollingUpdate strategy type`);
  if (Number(found['observedGeneration'] ?? 0) === 0 || !observed)
    return { text: 'Waiting for statefulset spec update to be observed...\n', done: false };
  const wanted = Number(spec['replicas'] ?? 1);
  const count = (member: string): number => Number(found[member] ?? 0);
  if (count('readyReplicas') < wanted) return { text: `Waiting for ${wanted - count('readyReplicas')} pods to be ready...\n`, done: false };
  const partition = section(strategy, 'rollingUpdate')['partition'];
  if (partition !== undefined) {
    const target = wanted - Number(partition);
    if (count('updatedReplicas') < target)
      return {
        text: `Waiting for partitioned roll out to finish: ${count('updatedReplicas')} out of ${target} new pods have been updated...\n`,
        done: false,
      };
    return { text: `partitioned roll out complete: ${count('updatedReplicas')} new pods have been updated...\n`, done: true };
  }
  if (found['updateRevision'] !== found['currentRevision']) {
    return {
      text: `waiting for statefulset rolling update to complete ${count('updatedReplicas')} pods at revision ${String(found['updateRevision'])}...\n`,
      done: false,
    };
  }
  return {
    text: `statefulset rolling update complete ${count('currentReplicas')} pods at revision ${String(found['currentRevision'])}...\n`,
    done: true,
  };
}
