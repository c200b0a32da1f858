import { collectErrors, forbiddenField, type JsonObject, notSupported, required, tooLong } from '../../../meta/index.ts';
import { listAt, objectsAt, optionalRecordAt, optionalTextAt, textAt } from '../accessors.ts';
import { type Errors, none } from '../checks.ts';

/** Restart policy and rules of a container. While the gate is off, decoding drops these fields. */
const policies = ['Always', 'Never', 'OnFailure'];
const operators = ['In', 'NotIn'];
const maxRules = 20;
const maxCodes = 255;

/** Of containers, and of init containers that are not sidecars. Cf. upstream validateContainerRestartPolicy. */
export function validateRestartRules(container: JsonObject, path: string): Errors {
  const policy = optionalTextAt(container, 'restartPolicy');
  const rules = objectsAt(container, 'restartPolicyRules');
  const at = `${path}.restartPolicy`;
  return [
    ...(policy === undefined && rules.length > 0 ? [required(at, 'must specify restartPolicy when restart rules are used')] : none),
    ...(policy === undefined || policies.includes(policy) ? none : [notSupported(at, policy, policies)]),
    ...(rules.length > maxRules ? [tooLong(`${path}.restartPolicyRules`, maxRules)] : none),
    ...collectErrors(rules, (rule, index) => validateRestartRule(rule, `${path}.restartPolicyRules[${index}]`)),
  ];
}

/** Upstream validates an init container's rules only together with a policy. */
export function validateInitRestartRules(container: JsonObject, path: string): Errors {
  const policy = optionalTextAt(container, 'restartPolicy');
  if (policy === undefined) return none;
  if (policy !== 'Always') return validateRestartRules(container, path);
  if (objectsAt(container, 'restartPolicyRules').length === 0) return none;
  const why = 'restartPolicyRules are not allowed for init containers with restart policy Always';
  return [forbiddenField(`${path}.restartPolicyRules`, why)];
}

function validateRestartRule(rule: JsonObject, path: string): Errors {
  const action = textAt(rule, 'action');
  const codes = optionalRecordAt(rule, 'exitCodes');
  const operator = textAt(codes, 'operator');
  return [
    ...(action === 'Restart' ? none : [notSupported(`${path}.action`, action, ['Restart'])]),
    ...(codes === undefined ? [required(`${path}.exitCodes`, 'must be specified')] : none),
    ...(codes === undefined || operators.includes(operator) ? none : [notSupported(`${path}.exitCodes.operator`, operator, operators)]),
    ...(listAt(codes, 'values').length > maxCodes ? [tooLong(`${path}.exitCodes.values`, maxCodes)] : none),
  ];
}

/** Whether a container restarts after this exit code. Cf. upstream ContainerShouldRestart. */
export function mayRestart(container: JsonObject, podPolicy: string, exitCode: number): boolean {
  const own = optionalTextAt(container, 'restartPolicy');
  const ruled = own !== undefined && objectsAt(container, 'restartPolicyRules').some((rule) => ruleMatches(rule, exitCode));
  return ruled || isRestartedBy(own !== undefined && policies.includes(own) ? own : podPolicy, exitCode);
}

export function isRestartedBy(policy: string, exitCode: number): boolean {
  return policy === 'OnFailure' ? exitCode !== 0 : policy !== 'Never';
}

function ruleMatches(rule: JsonObject, exitCode: number): boolean {
  const codes = optionalRecordAt(rule, 'exitCodes');
  if (!codes || textAt(rule, 'action') !== 'Restart') return false;
  const listed = listAt(codes, 'values').some((code) => Number(code) === exitCode);
  return textAt(codes, 'operator') === (listed ? 'In' : 'NotIn');
}
