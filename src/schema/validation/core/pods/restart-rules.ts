import { collectErrors, forbiddenField, notSupported, required, tooLong } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { type Errors, none } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';

/** Restart policy and rules of a container. While the gate is off, decoding drops these fields. */
const policies = ['Always', 'Never', 'OnFailure'];
const operators = ['In', 'NotIn'];
const maxRules = 20;
const maxCodes = 255;

/** Of containers, and of init containers that are not sidecars. Cf. upstream validateContainerRestartPolicy. */
export function validateRestartRules(container: Decoded<corev1.Container>, path: string): Errors {
  const policy = container.restartPolicy;
  const rules = container.restartPolicyRules ?? [];
  const at = `${path}.restartPolicy`;
  return [
    ...(policy === undefined && rules.length > 0 ? [required(at, 'must specify restartPolicy when restart rules are used')] : none),
    ...(policy === undefined || policies.includes(policy) ? none : [notSupported(at, policy, policies)]),
    ...(rules.length > maxRules ? [tooLong(`${path}.restartPolicyRules`, maxRules)] : none),
    ...collectErrors(rules, (rule, index) => validateRestartRule(rule, `${path}.restartPolicyRules[${index}]`)),
  ];
}

/** Upstream validates an init container's rules only together with a policy. */
export function validateInitRestartRules(container: Decoded<corev1.Container>, path: string): Errors {
  const policy = container.restartPolicy;
  if (policy === undefined) return none;
  if (policy !== 'Always') return validateRestartRules(container, path);
  if ((container.restartPolicyRules ?? []).length === 0) return none;
  const why = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return [forbiddenField(`${path}.restartPolicyRules`, why)];
}

function validateRestartRule(rule: Decoded<corev1.ContainerRestartRule>, path: string): Errors {
  const action = rule.action ?? '';
  const codes = rule.exitCodes;
  const operator = codes?.operator ?? '';
  return [
    ...(action === 'Restart' ? none : [notSupported(`${path}.action`, action, ['Restart'])]),
    ...(codes === undefined ? [required(`${path}.exitCodes`, 'must be specified')] : none),
    ...(codes === undefined || operators.includes(operator) ? none : [notSupported(`${path}.exitCodes.operator`, operator, operators)]),
    ...((codes?.values ?? []).length > maxCodes ? [tooLong(`${path}.exitCodes.values`, maxCodes)] : none),
  ];
}

/** Whether a container restarts after this exit code. Cf. upstream ContainerShouldRestart. */
export function mayRestart(container: Decoded<corev1.Container>, podPolicy: string, exitCode: number): boolean {
  const own = container.restartPolicy;
  const ruled = own !== undefined && (container.restartPolicyRules ?? []).some((rule) => ruleMatches(rule, exitCode));
  return ruled || isRestartedBy(own !== undefined && policies.includes(own) ? own : podPolicy, exitCode);
}

export function isRestartedBy(policy: string, exitCode: number): boolean {
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';
}

function ruleMatches(rule: Decoded<corev1.ContainerRestartRule>, exitCode: number): boolean {
  const codes = rule.exitCodes;
  if (!codes || (rule.action ?? '') !== 'Restart') return false;
  const listed = (codes.values ?? []).some((code) => Number(code) === exitCode);
  return (codes.operator ?? '') === (listed ? 'In' : 'NotIn');
}
