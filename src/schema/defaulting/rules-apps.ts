import type { FeatureGates, JsonObject } from '../../meta/index.ts';
import type { appsv1, corev1 } from '../api/index.ts';
import type { Decoded } from '../validation/decoded.ts';
import { type Rules, setDefault } from './defaulting-rule.ts';

/** Amounts of other strategies have no default: upstream's internal type, which has no pointers, makes them 0. */
function defaultRollingUpdate(strategy: Decoded<appsv1.DeploymentStrategy>): JsonObject {
  const { type, rollingUpdate } = strategy;
  if (type === 'RollingUpdate') return setDefault(strategy, 'rollingUpdate', {});
  return rollingUpdate ? { ...strategy, rollingUpdate: { maxUnavailable: 0, maxSurge: 0, ...rollingUpdate } } : strategy;
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

function defaultStatefulSet(spec: Decoded<appsv1.StatefulSetSpec>): JsonObject {
  const { updateStrategy, volumeClaimTemplates: templates = [] } = spec;
  // With an explicit type, there is no default for rollingUpdate.
  const next: JsonObject = updateStrategy?.type
    ? spec
    : { ...spec, updateStrategy: { type: 'RollingUpdate', rollingUpdate: {}, ...updateStrategy } };
  return templates.length === 0 ? next : { ...next, volumeClaimTemplates: templates.map(toVolumeClaim) };
}

/** Templates are returned as complete objects. */
function toVolumeClaim({ kind: _, apiVersion: __, ...rest }: Decoded<corev1.PersistentVolumeClaim>): JsonObject {
  return { kind: 'PersistentVolumeClaim', apiVersion: 'v1', ...rest };
}
