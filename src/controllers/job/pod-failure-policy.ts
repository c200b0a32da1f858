import type { batchv1, corev1 } from '../../schema/api/index.ts';

export interface PolicyMatch {
  /** Message of the failure of the whole job. */
  readonly failJobMessage?: string;
  /** Whether the failure counts against the limits. */
  readonly isCounted: boolean;
  readonly action?: string;
}

const noMatch: PolicyMatch = { isCounted: true };

/** The effect of the first rule that matches a failed pod. Cf. pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy. */
export function matchPodFailurePolicy(policy: batchv1.PodFailurePolicy | undefined, pod: corev1.Pod): PolicyMatch {
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const failure = describeMatch(rule, pod);
    if (failure === undefined) continue;
    const { action } = rule;
    if (action === 'Ignore') return { isCounted: false, action };
    if (action === 'FailIndex' || action === 'Count') return { isCounted: true, action };
    if (action === 'FailJob') return { failJobMessage: `${failure} matching ${action} rule at index ${index}`, isCounted: true, action };
  }
  return noMatch;
}

/** The message of a failed job, from the first of its failed pods that a rule with FailJob matches. Cf. getFailJobMessage. */
export function failJobMessage(policy: batchv1.PodFailurePolicy | undefined, failedPods: readonly corev1.Pod[]): string | undefined {
  if (!policy) return undefined;
  for (const pod of failedPods) {
    const { failJobMessage: message } = matchPodFailurePolicy(policy, pod);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** What of the pod matches the rule; undefined when nothing does. */
function describeMatch(
  { onExitCodes, onPodConditions }: batchv1.PodFailurePolicyRule,
  { metadata, status }: corev1.Pod,
): string | undefined {
  const pod = `${metadata.namespace}/${metadata.name}`;
  if (onExitCodes) {
    const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
    const container = all.find((one) => matchesExitCode(one, onExitCodes));
    return container && `Container ${container.name} for pod ${pod} failed with exit code ${container.state?.terminated?.exitCode}`;
  }
  const condition = status.conditions?.find(({ type, status: value }) =>
    onPodConditions?.some((pattern) => pattern.type === type && pattern.status === value),
  );
  return condition && `Pod ${pod} has condition ${condition.type}`;
}

/** A container that did not end has no exit code yet, and 0 is no failure. */
function matchesExitCode(
  { name, state }: corev1.ContainerStatus,
  { containerName, operator, values }: batchv1.PodFailurePolicyOnExitCodesRequirement,
): boolean {
  const code = state?.terminated?.exitCode ?? 0;
  if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
  const isListed = values?.includes(code) === true;
  return operator === 'In' ? isListed : operator === 'NotIn' && !isListed;
}
