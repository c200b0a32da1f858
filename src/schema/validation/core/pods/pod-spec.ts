import {
  byteLength,
  collectErrors,
  duplicate,
  forbiddenField,
  invalid,
  isDns1123SubdomainWithUnderscore,
  isQualifiedName,
  required,
  tooLong,
  validateLegacyIp,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At } from '../../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateDnsSubdomain,
  validateNameWith,
  validateOneOf,
  validateRange,
  validateRequiredOneOf,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import { validateAnnotations, validateLabels } from '../../metadata.ts';
import { validateContainerResourceName } from '../quotas/resource-names.ts';
import { validateVolumes } from '../volumes/volumes.ts';
import {
  createClaimNames,
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
  validateResources,
} from './containers.ts';
import { validateFileVolumes } from './env.ts';
import { validatePodAnnotations } from './pod-annotations.ts';
import { validatePodResources, validateResourceClaims } from './pod-resources.ts';
import { validateAffinity, validatePreemptionPolicy, validateTolerations, validateTopologySpread } from './scheduling.ts';
import { validatePodSecurity } from './security.ts';
import { systemOf, validateHostProcesses, validateSystemRules } from './windows.ts';

const maxDeadlineSeconds = 2 ** 31 - 1;

/** Validates the spec of a pod or template, in the order of upstream's ValidatePodSpec. */
export function validatePodSpec(
  spec: Decoded<corev1.PodSpec>,
  path: string,
  context: ValidationContext,
  of: 'pod' | 'template' = 'template',
): Errors {
  const grace = spec.terminationGracePeriodSeconds;
  const checked = validateVolumes(spec, of, context, `${path}.volumes`);
  const parts = {
    context,
    volumes: checked.names,
    claims: createClaimNames(spec.resourceClaims ?? []),
    graceSeconds: grace ?? 0,
    hostUsers: spec.hostUsers !== false,
    restartPolicy: spec.restartPolicy ?? '',
    system: 'os' in spec ? systemOf(spec) : undefined,
  };
  const deadline = int64At(spec, 'activeDeadlineSeconds');
  // Parts after the limit of listed errors are left out: they take long for long lists.
  return collectErrors(
    [
      () => checked.errors,
      () => validateResourceClaims(spec, `${path}.resourceClaims`),
      () => validateContainers(spec, parts, `${path}.containers`),
      () => validateInitContainers(spec, parts, `${path}.initContainers`),
      () => validateEphemeralContainers(spec, parts, `${path}.ephemeralContainers`),
      () => validatePodResources(spec, parts, `${path}.resources`),
      () => validateHostNetworkPorts(spec, path, of),
      () => validateRequiredOneOf(parts.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`),
      () =>
        validateRequiredOneOf(spec.dnsPolicy ?? '', ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'], `${path}.dnsPolicy`),
      () => validateLabels(spec.nodeSelector ?? {}, `${path}.nodeSelector`),
      () => validatePodSecurity(spec, `${path}.securityContext`, context),
      () => validateAffinity(spec.affinity, `${path}.affinity`),
      () => validateDnsConfig(spec, `${path}.dnsConfig`, context),
      () =>
        collectErrors(spec.readinessGates ?? [], (gate, index) =>
          validateNameWith(isQualifiedName, gate.conditionType ?? '', `${path}.readinessGates[${index}].conditionType`),
        ),
      () => validateSchedulingGates(spec, `${path}.schedulingGates`),
      () => validateTopologySpread(spec, `${path}.topologySpreadConstraints`),
      () => validateHostProcesses(spec, path),
      () => (parts.hostUsers ? none : validateUserNamespace(spec, path)),
      () => validateHostnameOverride(spec, `${path}.hostnameOverride`),
      () => validateReferencedNames(spec, path),
      () => (deadline === undefined ? none : validateRange(deadline, 1, maxDeadlineSeconds, `${path}.activeDeadlineSeconds`)),
      () => validateHostNames(spec, path),
      () => validateTolerations(spec, `${path}.tolerations`),
      () => validateHostAliases(spec, `${path}.hostAliases`, context),
      () => validateClasses(spec, path, context),
      () => validateFileVolumes(spec, path),
    ],
    (validate: () => Errors) => validate(),
  );
}

function validateReferencedNames(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  return (['serviceAccountName', 'nodeName'] as const).flatMap((field) => {
    const name = spec[field];
    return name ? validateDnsSubdomain(name, `${path}.${field}`) : none;
  });
}

function validateHostNames(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  return (['hostname', 'subdomain'] as const).flatMap((field) => {
    const name = spec[field];
    return name ? validateDnsLabel(name, `${path}.${field}`) : none;
  });
}

const maxHostname = 64;

/** Cf. upstream validatePodHostName. */
function validateHostnameOverride(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const name = spec.hostnameOverride;
  if (name === undefined) return none;
  return [
    ...(['setHostnameAsFQDN', 'hostNetwork'] as const)
      .filter((field) => spec[field] === true)
      .map((field) => forbiddenField(path, `may not be specified when ${field} is true`)),
    ...(byteLength(name) > maxHostname ? [tooLong(path, maxHostname)] : none),
    ...validateDnsSubdomain(name, path),
  ];
}

function validateClasses(spec: Decoded<corev1.PodSpec>, path: string, context: ValidationContext): Errors {
  const [priority, runtime] = [spec.priorityClassName ?? '', spec.runtimeClassName];
  return [
    ...(priority === '' ? none : validateDnsSubdomain(priority, `${path}.priorityClassName`)),
    ...(runtime === undefined ? none : validateDnsSubdomain(runtime, `${path}.runtimeClassName`)),
    ...validatePreemptionPolicy(spec, path),
    ...validateResources(
      { limits: spec.overhead ?? {} },
      { context, claims: createClaimNames([]) },
      `${path}.overhead`,
      validateContainerResourceName,
    ),
    ...('os' in spec ? validateOperatingSystem(spec, path) : none),
  ];
}

function validateOperatingSystem(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const system = systemOf(spec);
  if (system === '') return [required(`${path}.os.name`, '')];
  const errors = validateOneOf(system, ['linux', 'windows'], `${path}.os`);
  return errors.length > 0 ? errors : validateSystemRules(spec, system, path);
}

/** Pods with their own user namespace cannot use other host namespaces. */
function validateUserNamespace(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const why = 'when `hostUsers` is false';
  const shared = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const;
  return [
    ...shared.filter(([field]) => spec[field] === true).map(([, shown]) => forbiddenField(`${path}.${shown}`, why)),
    ...(['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
      collectErrors(spec[list] ?? [], (container, index) =>
        (container.volumeDevices ?? []).length > 0 ? [forbiddenField(`${path}.${list}[${index}].volumeDevices`, why)] : none,
      ),
    ),
  ];
}

/** A template may leave the host port to the defaulting of its pods. */
function validateHostNetworkPorts(spec: Decoded<corev1.PodSpec>, path: string, of: 'pod' | 'template'): Errors {
  if (spec.hostNetwork !== true) return none;
  return collectErrors(spec.containers ?? [], (container, index) =>
    collectErrors(container.ports ?? [], (port, number) => {
      const [host, own] = [port.hostPort ?? 0, port.containerPort ?? 0];
      if (host === own || (of === 'template' && host === 0)) return none;
      const at = `${path}.containers[${index}].ports[${number}].hostPort`;
      return [invalid(at, host, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchBytes = 2048;

function validateDnsConfig(spec: Decoded<corev1.PodSpec>, path: string, { gates }: ValidationContext): Errors {
  const config = spec.dnsConfig;
  const own = (spec.dnsPolicy ?? '') === 'None';
  if (!config) return own ? [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')] : none;
  const [servers, searches] = [config.nameservers ?? [], config.searches ?? []];
  const length = searches.join(' ').length;
  if (own && servers.length === 0)
    return [required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  return [
    ...(servers.length > maxNameservers
      ? [invalid(`${path}.nameservers`, servers, `must not have more than ${maxNameservers} nameservers`)]
      : none),
    ...collectErrors(servers, (server, index) => validateLegacyIp(`${path}.nameservers[${index}]`, server, gates)),
    ...(searches.length > maxSearches
      ? [invalid(`${path}.searches`, searches, `must not have more than ${maxSearches} search paths`)]
      : none),
    ...(length > maxSearchBytes
      ? [
          invalid(
            `${path}.searches`,
            searches,
            `must not have more than ${maxSearchBytes} characters (including spaces) in the search list`,
          ),
        ]
      : none),
    ...collectErrors(searches, (search, index) =>
      search === '.' ? none : validateNameWith(isDns1123SubdomainWithUnderscore, search.replace(/\.$/, ''), `${path}.searches[${index}]`),
    ),
    ...collectErrors(config.options ?? [], (option, index) =>
      (option.name ?? '') === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : none,
    ),
  ];
}

function validateSchedulingGates(spec: Decoded<corev1.PodSpec>, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(spec.schedulingGates ?? [], (gate, index) => {
    const name = gate.name ?? '';
    const again = seen.has(name) ? [duplicate(`${path}[${index}]`, name)] : none;
    seen.add(name);
    return [...validateNameWith(isQualifiedName, name, `${path}[${index}]`), ...again];
  });
}

function validateHostAliases(spec: Decoded<corev1.PodSpec>, path: string, { gates }: ValidationContext): Errors {
  return collectErrors(spec.hostAliases ?? [], (alias, index) => [
    ...validateLegacyIp(`${path}[${index}].ip`, alias.ip ?? '', gates),
    ...collectErrors(alias.hostnames ?? [], (name, number) => validateDnsSubdomain(name, `${path}[${index}].hostnames[${number}]`)),
  ]);
}

/** A template: labels, annotations and the spec. Cf. upstream ValidatePodTemplateSpec. */
export function validatePodTemplate(template: Decoded<corev1.PodTemplateSpec>, path: string, context: ValidationContext): Errors {
  const metadata = template.metadata ?? {};
  return [
    ...validateLabels(metadata.labels ?? {}, `${path}.labels`),
    ...validateAnnotations(metadata.annotations ?? {}, `${path}.annotations`),
    ...validatePodAnnotations(template, `${path}.annotations`, context),
    ...validatePodSpec(template.spec ?? {}, `${path}.spec`, context),
    ...((template.spec?.ephemeralContainers ?? []).length > 0
      ? [forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : none),
  ];
}
