import { byteLength, collectErrors, forbiddenField, invalid, type JsonObject, required, tooLong } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At } from '../../accessors.ts';
import { type Errors, none, validateOneOf, validateRange } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import { goProfile, goSecurityContext, toGoValue } from '../../go-values.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validateDescendingPath } from '../volumes/paths.ts';
import { validateWindowsOptions } from './windows.ts';

const maxId = 2 ** 31 - 1;

function validateIds(context: JsonObject, fields: readonly string[], path: string): Errors {
  return fields.flatMap((field) => {
    const value = int64At(context, field);
    return value === undefined ? none : validateRange(value, 0, maxId, `${path}.${field}`);
  });
}

/** The security context of a whole pod. Cf. upstream validatePodSpecSecurityContext. */
export function validatePodSecurity(spec: Decoded<corev1.PodSpec>, path: string, { gates }: ValidationContext): Errors {
  const context = spec.securityContext ?? {};
  const shares = spec.shareProcessNamespace === true && spec.hostPID === true;
  return [
    ...validateIds(context, ['fsGroup', 'runAsUser', 'runAsGroup'], path),
    ...collectErrors(context.supplementalGroups ?? [], (group, index) =>
      validateRange(group as number | bigint, 0, maxId, `${path}.supplementalGroups[${index}]`),
    ),
    ...(shares ? [invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')] : none),
    ...validateSysctls(context, `${path}.sysctls`),
    ...validateOneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`),
    ...validateProfile(context, 'seccompProfile', 'seccomp', path),
    ...validateWindowsOptions(context, path),
    ...validateProfile(context, 'appArmorProfile', 'AppArmor', path),
    ...validateOneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`),
    ...validateOneOf(
      context.seLinuxChangePolicy,
      gates.enabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive'],
      `${path}.seLinuxChangePolicy`,
    ),
  ];
}

const sysctlText = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const maxSysctl = 253;

/** Checked by segments, since upstream's pattern would backtrack exponentially here. */
function isSysctl(name: string): boolean {
  return name.length <= maxSysctl && name.split(/[./]/).every((part) => /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/.test(part));
}

function validateSysctls(context: Decoded<corev1.PodSecurityContext>, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(context.sysctls ?? [], (sysctl, index) => {
    const name = sysctl.name ?? '';
    const field = `${path}[${index}].name`;
    if (name === '') return [required(field, '')];
    const again = seen.has(name)
      ? [{ reason: 'FieldValueDuplicate' as const, field, message: `Duplicate value: ${JSON.stringify(name)}` }]
      : none;
    seen.add(name);
    return isSysctl(name)
      ? again
      : [invalid(field, name, `must have at most ${maxSysctl} characters and match regex ${sysctlText}`), ...again];
  });
}

function validateProfile(
  context: Decoded<corev1.SecurityContext>,
  field: 'seccompProfile' | 'appArmorProfile',
  name: string,
  path: string,
): Errors {
  const given = context[field];
  if (!given) return none;
  const at = `${path}.${field}`;
  const { type = '', localhostProfile: local } = given;
  const isSeccomp = field === 'seccompProfile';
  if (type === 'Localhost') {
    if (local === undefined) return [required(`${at}.localhostProfile`, `must be set when ${name} type is Localhost`)];
    return isSeccomp ? validateDescendingPath(local, `${at}.localhostProfile`) : validateLocalAppArmor(local, `${at}.localhostProfile`);
  }
  const wrongType =
    type === ''
      ? [required(`${at}.type`, `type is required when ${field} is set`)]
      : validateOneOf(type, ['Localhost', 'RuntimeDefault', 'Unconfined'], `${at}.type`);
  if (local === undefined) return wrongType;
  const why = `can only be set when ${name} type is Localhost`;
  if (isSeccomp) return [...wrongType, invalid(`${at}.localhostProfile`, toGoValue(given, goProfile), why)];
  return wrongType.length > 0 ? wrongType : [invalid(`${at}.localhostProfile`, local, why)];
}

const maxPathBytes = 4095;

function validateLocalAppArmor(local: string, path: string): Errors {
  return [
    ...(local !== local.trim() ? [invalid(path, local, 'must not be padded with whitespace')] : none),
    ...(local === '' ? [required(path, 'must be set when AppArmor type is Localhost')] : none),
    ...(byteLength(local) > maxPathBytes ? [tooLong(path, maxPathBytes)] : none),
  ];
}

/** Cf. upstream ValidateSecurityContext. */
export function validateContainerSecurity(
  container: Decoded<corev1.Container>,
  { hostUsers, allowPrivileged }: { readonly hostUsers: boolean; readonly allowPrivileged: boolean },
  path: string,
): Errors {
  const context = container.securityContext;
  if (!context) return none;
  const added = context.capabilities?.add ?? [];
  const why = (what: string): string => `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
  const deniesEscalation = context.allowPrivilegeEscalation === false;
  const procMount = context.procMount;
  return [
    ...(context.privileged === true && !allowPrivileged ? [forbiddenField(`${path}.privileged`, 'disallowed by cluster policy')] : none),
    ...validateIds(context, ['runAsUser', 'runAsGroup'], path),
    ...validateOneOf(procMount, ['Default', 'Unmasked'], `${path}.procMount`),
    ...(hostUsers && procMount === 'Unmasked'
      ? [invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`')]
      : none),
    ...validateProfile(context, 'seccompProfile', 'seccomp', path),
    ...(deniesEscalation && context.privileged === true
      ? [invalid(path, toGoValue(context, goSecurityContext), why('`privileged` to true'))]
      : none),
    ...(deniesEscalation && added.includes('CAP_SYS_ADMIN')
      ? [invalid(path, toGoValue(context, goSecurityContext), why('`capabilities.Add` CAP_SYS_ADMIN'))]
      : none),
    ...validateWindowsOptions(context, path),
    ...validateProfile(context, 'appArmorProfile', 'AppArmor', path),
  ];
}
