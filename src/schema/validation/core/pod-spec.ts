import {
  byteLength,
  collectErrors,
  duplicate,
  forbiddenField,
  invalid,
  isDns1123SubdomainWithUnderscore,
  isQualifiedName,
  type JsonObject,
  required,
  tooLong,
  validateLegacyIp,
} from '../../../meta/index.ts';
import { int64At, numberAt, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateDnsSubdomain,
  validateNameWith,
  validateOneOf,
  validateRange,
  validateRequiredOneOf,
} from '../checks.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { validateAnnotations, validateLabels } from '../metadata.ts';
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
import { validateContainerResourceName } from './resource-names.ts';
import { validateAffinity, validatePreemptionPolicy, validateTolerations, validateTopologySpread } from './scheduling.ts';
import { validatePodSecurity } from './security.ts';
import { validateVolumes } from './volumes.ts';
import { systemOf, validateHostProcesses, validateSystemRules } from './windows.ts';

const maxDeadlineSeconds = 2 ** 31 - 1;

/** Validates the spec of a pod or template, in the order of upstream's ValidatePodSpec. */
export function validatePodSpec(spec: JsonObject, path: string, context: ValidationContext, of: 'pod' | 'template' = 'template'): Errors {
  const grace = numberAt(spec, 'terminationGracePeriodSeconds');
  const checked = validateVolumes(spec, of, context, `${path}.volumes`);
  const parts = {
    context,
    volumes: checked.names,
    claims: createClaimNames(objectsAt(spec, 'resourceClaims')),
    graceSeconds: grace ?? 0,
    hostUsers: spec['hostUsers'] !== false,
    restartPolicy: textAt(spec, 'restartPolicy'),
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
        validateRequiredOneOf(
          textAt(spec, 'dnsPolicy'),
          ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'],
          `${path}.dnsPolicy`,
        ),
      () => validateLabels(recordAt(spec, 'nodeSelector'), `${path}.nodeSelector`),
      () => validatePodSecurity(spec, `${path}.securityContext`, context),
      () => validateAffinity(optionalRecordAt(spec, 'affinity'), `${path}.affinity`),
      () => validateDnsConfig(spec, `${path}.dnsConfig`, context),
      () =>
        collectErrors(objectsAt(spec, 'readinessGates'), (gate, index) =>
          validateNameWith(isQualifiedName, textAt(gate, 'conditionType'), `${path}.readinessGates[${index}].conditionType`),
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

function validateReferencedNames(spec: JsonObject, path: string): Errors {
  return ['serviceAccountName', 'nodeName'].flatMap((field) => {
    const name = textAt(spec, field);
    return name === '' ? none : validateDnsSubdomain(name, `${path}.${field}`);
  });
}

function validateHostNames(spec: JsonObject, path: string): Errors {
  return ['hostname', 'subdomain'].flatMap((field) => {
    const name = textAt(spec, field);
    return name === '' ? none : validateDnsLabel(name, `${path}.${field}`);
  });
}

const maxHostname = 64;

/** Cf. upstream validatePodHostName. */
function validateHostnameOverride(spec: JsonObject, path: string): Errors {
  const name = optionalTextAt(spec, 'hostnameOverride');
  if (name === undefined) return none;
  return [
    ...['setHostnameAsFQDN', 'hostNetwork']
      .filter((field) => spec[field] === true)
      .map((field) => forbiddenField(path, `may not be specified when ${field} is true`)),
    ...(byteLength(name) > maxHostname ? [tooLong(path, maxHostname)] : none),
    ...validateDnsSubdomain(name, path),
  ];
}

function validateClasses(spec: JsonObject, path: string, context: ValidationContext): Errors {
  const [priority, runtime] = [textAt(spec, 'priorityClassName'), optionalTextAt(spec, 'runtimeClassName')];
  return [
    ...(priority === '' ? none : validateDnsSubdomain(priority, `${path}.priorityClassName`)),
    ...(runtime === undefined ? none : validateDnsSubdomain(runtime, `${path}.runtimeClassName`)),
    ...validatePreemptionPolicy(spec, path),
    ...validateResources(
      { limits: recordAt(spec, 'overhead') },
      { context, claims: createClaimNames([]) },
      `${path}.overhead`,
      validateContainerResourceName,
    ),
    ...('os' in spec ? validateOperatingSystem(spec, path) : none),
  ];
}

function validateOperatingSystem(spec: JsonObject, path: string): Errors {
  const system = systemOf(spec);
  if (system === '') return [required(`${path}.os.name`, '')];
  const errors = validateOneOf(system, ['linux', 'windows'], `${path}.os`);
  return errors.length > 0 ? errors : validateSystemRules(spec, system, path);
}

/** Pods with their own user namespace cannot use other host namespaces. */
function validateUserNamespace(spec: JsonObject, path: string): Errors {
  const why = 'when `hostUsers` is false';
  const shared = [
    ['hostNetwork', 'hostNetwork'],
    ['hostPID', 'HostPID'],
    ['hostIPC', 'HostIPC'],
  ] as const;
  return [
    ...shared.filter(([field]) => spec[field] === true).map(([, shown]) => forbiddenField(`${path}.${shown}`, why)),
    ...['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
      collectErrors(objectsAt(spec, list), (container, index) =>
        objectsAt(container, 'volumeDevices').length > 0 ? [forbiddenField(`${path}.${list}[${index}].volumeDevices`, why)] : none,
      ),
    ),
  ];
}

/** A template may leave the host port to the defaulting of its pods. */
function validateHostNetworkPorts(spec: JsonObject, path: string, of: 'pod' | 'template'): Errors {
  if (spec['hostNetwork'] !== true) return none;
  return collectErrors(objectsAt(spec, 'containers'), (container, index) =>
    collectErrors(objectsAt(container, 'ports'), (port, number) => {
      const [host, own] = [numberAt(port, 'hostPort') ?? 0, numberAt(port, 'containerPort') ?? 0];
      if (host === own || (of === 'template' && host === 0)) return none;
      const at = `${path}.containers[${index}].ports[${number}].hostPort`;
      return [invalid(at, host, 'must match `containerPort` when `hostNetwork` is true')];
    }),
  );
}

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchBytes = 2048;

function validateDnsConfig(spec: JsonObject, path: string, { gates }: ValidationContext): Errors {
  const config = optionalRecordAt(spec, 'dnsConfig');
  const own = textAt(spec, 'dnsPolicy') === 'None';
  if (!config) return own ? [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')] : none;
  const [servers, searches] = [textsAt(config, 'nameservers'), textsAt(config, 'searches')];
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
    ...collectErrors(objectsAt(config, 'options'), (option, index) =>
      textAt(option, 'name') === '' ? [required(`${path}.options[${index}]`, 'must not be empty')] : none,
    ),
  ];
}

function validateSchedulingGates(spec: JsonObject, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(objectsAt(spec, 'schedulingGates'), (gate, index) => {
    const name = textAt(gate, 'name');
    const again = seen.has(name) ? [duplicate(`${path}[${index}]`, name)] : none;
    seen.add(name);
    return [...validateNameWith(isQualifiedName, name, `${path}[${index}]`), ...again];
  });
}

function validateHostAliases(spec: JsonObject, path: string, { gates }: ValidationContext): Errors {
  return collectErrors(objectsAt(spec, 'hostAliases'), (alias, index) => [
    ...validateLegacyIp(`${path}[${index}].ip`, textAt(alias, 'ip'), gates),
    ...collectErrors(textsAt(alias, 'hostnames'), (name, number) => validateDnsSubdomain(name, `${path}[${index}].hostnames[${number}]`)),
  ]);
}

/** A template: labels, annotations and the spec. Cf. upstream ValidatePodTemplateSpec. */
export function validatePodTemplate(template: JsonObject, path: string, context: ValidationContext): Errors {
  const metadata = recordAt(template, 'metadata');
  return [
    ...validateLabels(recordAt(metadata, 'labels'), `${path}.labels`),
    ...validateAnnotations(recordAt(metadata, 'annotations'), `${path}.annotations`),
    ...validatePodAnnotations(template, `${path}.annotations`, context),
    ...validatePodSpec(recordAt(template, 'spec'), `${path}.spec`, context),
    ...(objectsAt(recordAt(template, 'spec'), 'ephemeralContainers').length > 0
      ? [forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]
      : none),
  ];
}
