import type { ApiObject, Product } from '../../meta/index.ts';
import type { corev1 } from '../../schema/api/index.ts';
import type { Decoded } from '../../schema/index.ts';
import { defaultPolicy, formatLevel, isFullyPrivileged, modes, type Policy } from './policy.ts';

/** Configuration of the plugin (upstream PodSecurityConfiguration). */
export interface PodSecuritySettings {
  /** Levels for namespaces without labels. */
  readonly defaults: Policy;
  /** Users, namespaces and runtime classes without restrictions. */
  readonly exempt: {
    readonly usernames: readonly string[];
    readonly namespaces: readonly string[];
    readonly runtimeClasses: readonly string[];
  };
}

export const defaultPodSecuritySettings: PodSecuritySettings = {
  defaults: defaultPolicy,
  exempt: { usernames: [], namespaces: [], runtimeClasses: [] },
};

/** `pod`: a pod or a pod template. */
export function isExemptRuntimeClass({ spec }: Decoded<corev1.PodTemplateSpec>, { exempt }: PodSecuritySettings): boolean {
  return Boolean(spec?.runtimeClassName) && exempt.runtimeClasses.includes(spec?.runtimeClassName ?? '');
}

/** The warning that labels of an exempt namespace are ignored; undefined when the labels change nothing. */
export function exemptWarning({ metadata }: ApiObject, policy: Policy, defaults: Policy, product: Product): string | undefined {
  if (isFullyPrivileged(policy) || modes.every((mode) => isEquivalentLevel(policy[mode], defaults[mode]))) return undefined;
  const prefix = product.rename('pod-security.kubernetes.io/');
  const labels = metadata.labels ?? {};
  const labeledModes = modes.filter(
    (mode) =>
      policy[mode].level !== 'privileged' && (Object.hasOwn(labels, prefix + mode) || Object.hasOwn(labels, `${prefix}${mode}-version`)),
  );
  const levels = labeledModes.map((mode) => `${mode}=${formatLevel(policy[mode])}`).join(', ');
  return `namespace ${JSON.stringify(metadata.name ?? '')} is exempt from Pod Security, and the policy (${levels}) will be ignored`;
}

function isEquivalentLevel(a: Policy['warn'], b: Policy['warn']): boolean {
  return a.level === b.level && (a.level === 'privileged' || a.minor === b.minor);
}
