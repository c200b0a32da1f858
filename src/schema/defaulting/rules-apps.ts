import { type FeatureGates, isJsonObject, type JsonObject } from '../../meta/index.ts';
import { listAt, recordAt, textAt } from '../validation/accessors.ts';
import { type Rules, setDefault } from './defaulting-rule.ts';

/** Amounts of other strategies have no default: upstream's internal type, which has no pointers, makes them 0. */
function defaultRollingUpdate(strategy: JsonObject): JsonObject {
  if (textAt(strategy, 'type') === 'RollingUpdate') return setDefault(strategy, 'rollingUpdate', {});
  const { rollingUpdate } = strategy;
  return isJsonObject(rollingUpdate) ? { ...strategy, rollingUpdate: { maxUnavailable: 0, maxSurge: 0, ...rollingUpdate } } : strategy;
}

export function appsRules(gates: FeatureGates): Rules {
  const oneAtATime = gates.enabled('MaxUnavailableStatefulSet');
  return {
    'apps/v1.DeploymentStrategy': defaultRollingUpdate,
    'apps/v1.DaemonSetUpdateStrategy': defaultRollingUpdate,
    'apps/v1.RollingUpdateStatefulSetStrategy': (strategy) => (oneAtATime ? setDefault(strategy, 'maxUnavailable', 1) : strategy),
    'apps/v1.StatefulSetSpec': defaultStatefulSet,
  };
}

function defaultStatefulSet(spec: JsonObject): JsonObject {
  const strategy = recordAt(spec, 'updateStrategy');
  let next = spec;
  // With an explicit type, there is no default for rollingUpdate.
  if (textAt(strategy, 'type') === '') {
    next = { ...next, updateStrategy: { type: 'RollingUpdate', rollingUpdate: {}, ...strategy } };
  }
  const templates = listAt(next, 'volumeClaimTemplates');
  if (templates.length === 0) return next;
  return { ...next, volumeClaimTemplates: templates.map((one) => (isJsonObject(one) ? toVolumeClaim(one) : one)) };
}

/** Templates are returned as complete objects. */
function toVolumeClaim({ kind: _, apiVersion: __, ...rest }: JsonObject): JsonObject {
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...rest };
}
