import { byteLength, collectErrors, forbiddenField, invalid, isDns1123Subdomain, type JsonObject } from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { listAt } from '../../accessors.ts';
import { type Errors, none, validateNameWith } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';

/** Windows options, and the fields that are invalid for the pod's operating system. */
const maxCredentialKiB = 64;
const maxDomain = 256;
const maxUser = 104;

/** The Windows options of a pod or a container. Cf. upstream validateWindowsSecurityContextOptions. */
export function validateWindowsOptions(
  { windowsOptions: options }: Pick<Decoded<corev1.SecurityContext>, 'windowsOptions'>,
  path: string,
): Errors {
  if (!options) return none;
  const at = `${path}.windowsOptions`;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: credential, runAsUserName: user } = options;
  return [
    ...(name === undefined ? none : validateNameWith(isDns1123Subdomain, name, `${at}.gmsaCredentialSpecName`)),
    ...(credential === undefined ? none : validateCredential(credential, `${at}.gmsaCredentialSpec`)),
    ...(user === undefined ? none : findUserNameProblems(user).map((why) => invalid(`${at}.runAsUserName`, user, `runAsUserName${why}`))),
  ];
}

function validateCredential(credential: string, path: string): Errors {
  if (credential === '') return [invalid(path, credential, 'gmsaCredentialSpec cannot be an empty string')];
  if (byteLength(credential) <= maxCredentialKiB * 1024) return none;
  return [invalid(path, credential, `gmsaCredentialSpec size must be under ${maxCredentialKiB} KiB`)];
}

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsDomain = /^[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[-a-zA-Z0-9]*[a-zA-Z0-9])?)*$/;

/** `user` or `domain\user`; each message follows the field's name. */
function findUserNameProblems(name: string): string[] {
  if (name === '') return [' cannot be an empty string'];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
  if (/[\x00-\x1f\x7f]/.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? parts[0] : undefined;
  const errors: string[] = [];
  if (domain !== undefined && byteLength(domain) >= maxDomain) errors.push(`'s Domain length must be under ${maxDomain} characters`);
  if (domain !== undefined && !netBios.test(domain) && !dnsDomain.test(domain))
    errors.push("'s Domain doesn't match the NetBios nor the DNS format");
  if (user === '') errors.push("'s User cannot be empty");
  else if (byteLength(user) > maxUser) errors.push(`'s User length must not be longer than ${maxUser} characters`);
  if (/^[. ]+$/.test(user)) errors.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) errors.push('\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return errors;
}

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** The security contexts of all containers of a pod, with their paths. */
function securityContexts(
  spec: Decoded<corev1.PodSpec>,
  path: string,
): readonly (readonly [context: Decoded<corev1.SecurityContext> | undefined, at: string])[] {
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => [container.securityContext, `${path}.${list}[${index}].securityContext`] as const),
  );
}

/** Either all containers are host processes, on the host's network, or none is. Cf. upstream validateWindowsHostProcessPod. */
export function validateHostProcesses(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const hostProcessOf = (context: Decoded<corev1.SecurityContext> | undefined): boolean | undefined => context?.windowsOptions?.hostProcess;
  const ofPod = hostProcessOf(spec.securityContext ?? {});
  const contexts = securityContexts(spec, path);
  const contradictions = collectErrors(contexts, ([context, at]) => {
    const own = hostProcessOf(context);
    if (ofPod === undefined || own === undefined || own === ofPod) return none;
    return [
      invalid(`${at}.windowsOptions.hostProcess`, own, `pod hostProcess value must be identical if both are specified, was ${ofPod}`),
    ];
  });
  const count = contexts.filter(([context]) => hostProcessOf(context) ?? ofPod).length;
  if (count === 0) return contradictions;
  const some = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
  return [
    ...contradictions,
    ...(count === contexts.length ? none : [invalid(path, '', some)]),
    ...(spec.hostNetwork === true
      ? none
      : [invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers')]),
  ];
}

const podFields = ['appArmorProfile', 'seLinuxOptions'];
const hostFields = ['hostUsers', 'hostPID', 'hostIPC'];
const podFieldsAfter = ['seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls'];
const podFieldsLast = ['runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy'];
const containerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

/** Cf. upstream validateWindows and validateLinux. */
export function validateSystemRules(spec: Decoded<corev1.PodSpec>, system: string, path: string): Errors {
  return system === 'windows' ? validateNotOnWindows(spec, path) : validateNotOnLinux(spec, path);
}

function validateNotOnWindows(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const context = spec.securityContext ?? {};
  const refuse = (field: string): Errors[number] => forbiddenField(field, 'cannot be set for a windows pod');
  const inContext = (fields: readonly string[]): Errors =>
    fields.filter((field) => isSet(context, field)).map((field) => refuse(`${path}.securityContext.${field}`));
  const inSpec = (fields: readonly string[]): Errors =>
    fields.filter((field) => isSet(spec, field)).map((field) => refuse(`${path}.${field}`));
  return [
    ...inContext(podFields),
    ...inSpec(hostFields),
    ...inContext(podFieldsAfter),
    ...inSpec(['shareProcessNamespace']),
    ...inContext(podFieldsLast),
    ...collectErrors(securityContexts(spec, path), ([own, at]) =>
      containerFields.filter((field) => own?.[field] !== undefined).map((field) => refuse(`${at}.${field}`)),
    ),
  ];
}

/** False flags and empty lists count as unset. */
function isSet(object: JsonObject, field: string): boolean {
  if (field === 'hostPID' || field === 'hostIPC') return object[field] === true;
  return field === 'sysctls' ? listAt(object, field).length > 0 : object[field] !== undefined;
}

function validateNotOnLinux(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const contexts = [[spec.securityContext, `${path}.securityContext`] as const, ...securityContexts(spec, path)];
  return contexts
    .filter(([context]) => context?.windowsOptions !== undefined)
    .map(([, at]) => forbiddenField(`${at}.windowsOptions`, 'windows options cannot be set for a linux pod'));
}

/** The operating system of a pod. */
export function systemOf(spec: Decoded<corev1.PodSpec>): string {
  return spec.os?.name ?? '';
}
