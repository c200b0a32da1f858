import { type JsonObject, type ProductNames, parseJsonObjects } from '../../meta/index.ts';
import type { apiextensionsv1, autoscalingv1, autoscalingv2, networkingv1, rbacv1, resourcev1 } from '../api/index.ts';
import { recordAt } from '../validation/accessors.ts';
import type { Decoded } from '../validation/decoded.ts';
import { type DefaultingRule, isAbsent, type Rules, setDefault } from './defaulting-rule.ts';

const podsUp: JsonObject = { type: 'Pods', value: 4, periodSeconds: 15 };
const percent: JsonObject = { type: 'Percent', value: 100, periodSeconds: 15 };
const cpuPercent = 80;

export const scalingRules: Rules = {
  /** Version 1 has the default metric of version 2, unless an annotation has other metrics. */
  'autoscaling/v1.HorizontalPodAutoscaler': (autoscaler: Decoded<autoscalingv1.HorizontalPodAutoscaler>) => {
    const annotations = Object.entries(autoscaler.metadata?.annotations ?? {});
    const metrics = annotations.find(([name]) => /^autoscaling\.alpha\.[a-z.]+\/metrics$/.test(name))?.[1];
    if (metrics !== undefined && parseJsonObjects(metrics).length > 0) return autoscaler;
    return { ...autoscaler, spec: setDefault(autoscaler.spec ?? {}, 'targetCPUUtilizationPercentage', cpuPercent) };
  },
  'autoscaling/v2.HorizontalPodAutoscalerBehavior': (behavior) => ({
    ...behavior,
    scaleUp: { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [podsUp, percent], ...presentMembers(behavior, 'scaleUp') },
    scaleDown: { ...stabilizationWindow(behavior), selectPolicy: 'Max', policies: [percent], ...presentMembers(behavior, 'scaleDown') },
  }),
};

/** Set first, since Go declares it first. */
function stabilizationWindow({ scaleDown }: Decoded<autoscalingv2.HorizontalPodAutoscalerBehavior>): JsonObject {
  const seconds = scaleDown?.stabilizationWindowSeconds;
  return seconds === undefined ? {} : { stabilizationWindowSeconds: seconds };
}

/** An empty list of policies is decoded to null, which defaults replace. */
function presentMembers(behavior: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(recordAt(behavior, name)).filter(([, value]) => value !== null));
}

export const networkingRules: Rules = {
  'networking/v1.NetworkPolicySpec': (spec: Decoded<networkingv1.NetworkPolicySpec>) => {
    if (spec.policyTypes?.length) return spec;
    return { ...spec, policyTypes: spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'] };
  },
};

export function rbacRules(names: ProductNames): Rules {
  const group = `rbac.authorization${names.metaGroup.slice('meta'.length)}`;
  return {
    'rbac/v1.Subject': (subject: Decoded<rbacv1.Subject>) =>
      subject.kind === 'User' || subject.kind === 'Group' ? setDefault(subject, 'apiGroup', group) : subject,
  };
}

const defaultExactCount: DefaultingRule = (request) => {
  const next: Decoded<resourcev1.ExactDeviceRequest> = setDefault(request, 'allocationMode', 'ExactCount');
  return next.allocationMode === 'ExactCount' && !next.count ? { ...next, count: 1 } : next;
};
const defaultTimeAdded: DefaultingRule = (taint, { now }) => setDefault(taint, 'timeAdded', now);

const defaultEqualOperator: DefaultingRule = (toleration) => setDefault(toleration, 'operator', 'Equal');

export const resourceRules: Rules = {
  'resource/v1.DeviceToleration': defaultEqualOperator,
  'resource/v1beta1.DeviceToleration': defaultEqualOperator,
  'resource/v1beta2.DeviceToleration': defaultEqualOperator,
  'resource/v1.ExactDeviceRequest': defaultExactCount,
  'resource/v1.DeviceSubRequest': defaultExactCount,
  'resource/v1.DeviceTaint': defaultTimeAdded,
  'resource/v1beta2.ExactDeviceRequest': defaultExactCount,
  'resource/v1beta2.DeviceSubRequest': defaultExactCount,
  'resource/v1beta2.DeviceTaint': defaultTimeAdded,
  'resource/v1beta1.DeviceRequest': (request, context) =>
    isAbsent(request['deviceClassName']) ? request : defaultExactCount(request, context),
  'resource/v1beta1.DeviceSubRequest': defaultExactCount,
  'resource/v1beta1.DeviceTaint': defaultTimeAdded,
  'resource/v1alpha3.DeviceTaint': defaultTimeAdded,
};

export const extensionRules: Rules = {
  'apiextensions/v1.CustomResourceDefinition': (given: Definition) => {
    const definition = defaultNames(given);
    const { spec, status } = definition;
    if (status?.storedVersions?.length) return definition;
    const stored = (spec?.versions ?? []).filter(({ storage }) => storage).map(({ name = '' }) => name);
    return stored.length > 0 ? { ...definition, status: { ...status, storedVersions: stored } } : definition;
  },
};

type Definition = Decoded<apiextensionsv1.CustomResourceDefinition>;

/** Sets defaults in `spec.names`; accepted names in the status stay unchanged. */
function defaultNames(definition: Definition): Definition {
  const { spec } = definition;
  const { names } = spec ?? {};
  if (!names?.kind) return definition;
  const full = setDefault(setDefault(names, 'singular', names.kind.toLowerCase()), 'listKind', `${names.kind}List`);
  return full === names ? definition : { ...definition, spec: { ...spec, names: full } };
}
