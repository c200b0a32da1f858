import type { JsonObject, Product } from '../../../meta/index.ts';
import type { appsv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import { formatGroupKind } from '../../api/discovery.ts';
import { bool, duration, int } from '../../parse/flags.ts';
import type { Call, Command } from '../../program/command.ts';
import { KubectlError } from '../../program/errors.ts';
import { fileFlags, selectorFlag } from '../../program/global-flags.ts';
import type { Info } from '../../resources/info.ts';
import { watchObject } from '../../resources/watch-object.ts';
import { reportNoObjects, requireRevision, selectObjects } from './pause-resume-restart.ts';

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
  const objects = await selectObjects(call);
  requireRevision(call);
  await objects.visit((info) => {
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

function rolloutState({ flags, product }: Call, { resource, name }: Info, object: JsonObject): RolloutState {
  const revision = flags.int('revision');
  switch (formatGroupKind(resource)) {
    case 'Deployment.apps':
      if (revision > 0) checkRevision(object, revision, product);
      return deploymentState(name, object);
    case 'DaemonSet.apps':
      return daemonSetState(name, object);
    case 'StatefulSet.apps':
      return statefulSetState(object);
    default:
      throw new KubectlError(`no status viewer has been implemented for ${formatGroupKind(resource)}`);
  }
}

/** Whether the controller has seen the last change of the specification. */
const isObserved = ({ metadata, status }: Decoded<appsv1.Deployment | appsv1.DaemonSet | appsv1.StatefulSet>): boolean =>
  (metadata?.generation ?? 0) <= (status?.observedGeneration ?? 0);

function checkRevision({ metadata }: Decoded<appsv1.Deployment>, revision: number, product: Product): void {
  const annotations = metadata?.annotations ?? {};
  const live = Number(annotations[product.rename('deployment.kubernetes.io/revision')] ?? 0);
  if (live !== revision) throw new KubectlError(`desired revision (${revision}) is different from the running revision (${live})`);
}

const waitingState = (type: string, name: string, what: string): RolloutState => ({
  text: `Waiting for ${type} ${JSON.stringify(name)} rollout to finish: ${what}...\n`,
  done: false,
});

function deploymentState(name: string, deployment: Decoded<appsv1.Deployment>): RolloutState {
  if (!isObserved(deployment)) return { text: 'Waiting for deployment spec update to be observed...\n', done: false };
  const { replicas: wanted = 1 } = deployment.spec ?? {};
  const { conditions = [], updatedReplicas: updated = 0, replicas: all = 0, availableReplicas: available = 0 } = deployment.status ?? {};
  if (conditions.some(({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded')) {
    throw new KubectlError(`deployment ${JSON.stringify(name)} exceeded its progress deadline`);
  }
  const waiting = (what: string): RolloutState => waitingState('deployment', name, what);
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new replicas have been updated`);
  if (all > updated) return waiting(`${all - updated} old replicas are pending termination`);
  if (available < updated) return waiting(`${available} of ${updated} updated replicas are available`);
  return { text: `deployment ${JSON.stringify(name)} successfully rolled out\n`, done: true };
}

function daemonSetState(name: string, daemonSet: Decoded<appsv1.DaemonSet>): RolloutState {
  if (daemonSet.spec?.updateStrategy?.type !== 'RollingUpdate')
    throw new KubectlError('rollout status is only available for RollingUpdate strategy type');
  if (!isObserved(daemonSet)) return { text: 'Waiting for daemon set spec update to be observed...\n', done: false };
  const { status = {} } = daemonSet;
  const { desiredNumberScheduled: wanted = 0, updatedNumberScheduled: updated = 0, numberAvailable: available = 0 } = status;
  const waiting = (what: string): RolloutState => waitingState('daemon set', name, what);
  if (updated < wanted) return waiting(`${updated} out of ${wanted} new pods have been updated`);
  if (available < wanted) return waiting(`${available} of ${wanted} updated pods are available`);
  return { text: `daemon set ${JSON.stringify(name)} successfully rolled out\n`, done: true };
}

function statefulSetState(statefulSet: Decoded<appsv1.StatefulSet>): RolloutState {
  const { updateStrategy: strategy, replicas: wanted = 1 } = statefulSet.spec ?? {};
  if (strategy?.type !== 'RollingUpdate') throw new KubectlError(`rollout status is only available for RollingUpdate strategy type`);
  const { status = {} } = statefulSet;
  if (!status.observedGeneration || !isObserved(statefulSet))
    return { text: 'Waiting for statefulset spec update to be observed...\n', done: false };
  const { readyReplicas: ready = 0, updatedReplicas: updated = 0, currentReplicas = 0, updateRevision, currentRevision } = status;
  if (ready < wanted) return { text: `Waiting for ${wanted - ready} pods to be ready...\n`, done: false };
  const partition = strategy.rollingUpdate?.partition;
  if (partition !== undefined) {
    const target = wanted - partition;
    if (updated < target)
      return {
        text: `Waiting for partitioned roll out to finish: ${updated} out of ${target} new pods have been updated...\n`,
        done: false,
      };
    return { text: `partitioned roll out complete: ${updated} new pods have been updated...\n`, done: true };
  }
  if (updateRevision !== currentRevision)
    return {
      text: `waiting for statefulset rolling update to complete ${updated} pods at revision ${updateRevision}...\n`,
      done: false,
    };
  return { text: `statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...\n`, done: true };
}
