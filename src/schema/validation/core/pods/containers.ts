import {
  collectErrors,
  compareQuantities,
  duplicate,
  forbiddenField,
  invalid,
  isPortName,
  isQuantity,
  type JsonObject,
  notFoundField,
  parseQuantity,
  quantityInteger,
  required,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { recordAt } from '../../accessors.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateNameWith,
  validateOneOf,
  validatePortNumber,
  validateRequiredOneOf,
} from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import type { ValidationContext } from '../../kind-validator.ts';
import {
  isHugePage,
  isOvercommitAllowed,
  type ResourceNameRule,
  validateContainerResourceName,
  validateResourceAmount,
} from '../quotas/resource-names.ts';
import { protocols } from '../services/endpoints.ts';
import { validateDescendingPath } from '../volumes/paths.ts';
import { validateEnv } from './env.ts';
import { validateProbesAndHooks } from './probes.ts';
import { validateInitRestartRules, validateRestartRules } from './restart-rules.ts';
import { validateContainerSecurity } from './security.ts';

/** The names of a pod's resource claims. */
export interface ClaimNames {
  readonly names: ReadonlySet<string>;
  /** As errors list them. */
  readonly listed: string;
}

export function createClaimNames(claims: readonly Decoded<corev1.PodResourceClaim>[]): ClaimNames {
  const names = new Set(claims.map((claim) => claim.name ?? ''));
  return { names, listed: names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}` };
}

/** Parts of a pod that containers may refer to. */
export interface PodParts {
  readonly context: ValidationContext;
  readonly volumes: ReadonlySet<string>;
  readonly claims: ClaimNames;
  readonly graceSeconds: number;
  /** Whether the pod shares the host's user namespace. */
  readonly hostUsers: boolean;
  readonly restartPolicy: string;
  /** The operating system of the pod, if set. */
  readonly system: string | undefined;
}

/** Cf. upstream validateContainers. */
export function validateContainers(spec: Decoded<corev1.PodSpec>, parts: PodParts, path: string): Errors {
  const list = spec.containers ?? [];
  if (list.length === 0) return [required(path, '')];
  const seen = new Set<string>();
  return [
    ...collectErrors(list, (container, index) => {
      const at = `${path}[${index}]`;
      return [
        ...validateCommonContainer(container, parts, at),
        ...validateUniqueNames(container.name ?? '', seen, `${at}.name`),
        ...validateProbesAndHooks(container, parts, at),
        ...validateRestartRules(container, at),
      ];
    }),
    ...validateHostPortConflicts(list, path),
  ];
}

/** Cf. upstream validateInitContainers. */
export function validateInitContainers(spec: Decoded<corev1.PodSpec>, parts: PodParts, path: string): Errors {
  const seen = new Set((spec.containers ?? []).map((container) => container.name ?? ''));
  const list = spec.initContainers ?? [];
  return collectErrors(list, (container, index) => {
    const at = `${path}[${index}]`;
    const restart = container.restartPolicy;
    const name = container.name ?? '';
    return [
      ...validateCommonContainer(container, parts, at),
      ...validateInitRestartRules(container, at),
      ...(name === '' ? none : validateUniqueNames(name, seen, `${at}.name`)),
      ...validateHostPortConflicts([container], path),
      ...(restart === 'Always' ? validateProbesAndHooks(container, parts, at) : validateSidecarOnlyFields(container, at)),
    ];
  });
}

function validateSidecarOnlyFields(container: Decoded<corev1.Container>, path: string): Errors {
  return ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']
    .filter((field) => field in container)
    .map((field) => forbiddenField(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always'));
}

/** Sorted as in the type; every container has resources, which must be empty. */
const notForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Cf. upstream validateEphemeralContainers. */
export function validateEphemeralContainers(spec: Decoded<corev1.PodSpec>, parts: PodParts, path: string): Errors {
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const seen = new Set(others.map((container) => container.name ?? ''));
  const targets = new Set(seen);
  return collectErrors(spec.ephemeralContainers ?? [], (container, index) => {
    const at = `${path}[${index}]`;
    const target = container.targetContainerName ?? '';
    return [
      ...validateCommonContainer(container, parts, at),
      ...validateUniqueNames(container.name ?? '', seen, `${at}.name`),
      ...(target === '' || targets.has(target) ? none : [notFoundField(`${at}.targetContainerName`, target)]),
      ...notForEphemeral
        .filter((field) => container[field] !== undefined && (field !== 'resources' || Object.keys(recordAt(container, field)).length > 0))
        .map((field) => forbiddenField(`${at}.${field}`, 'cannot be set for an Ephemeral Container')),
      ...collectErrors(container.volumeMounts ?? [], (mount, number) =>
        (['subPath', 'subPathExpr'] as const)
          .filter((field) => mount[field])
          .map((field) => forbiddenField(`${at}.volumeMounts[${number}].${field}`, 'cannot be set for an Ephemeral Container')),
      ),
    ];
  });
}

function validateUniqueNames(name: string, seen: Set<string>, path: string): Errors {
  if (seen.has(name)) return [duplicate(path, name)];
  seen.add(name);
  return none;
}

function validateCommonContainer(container: Decoded<corev1.Container>, parts: PodParts, path: string): Errors {
  const name = container.name ?? '';
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : validateDnsLabel(name, `${path}.name`)),
    ...((container.image ?? '') === '' ? [required(`${path}.image`, '')] : none),
    ...validateRequiredOneOf(
      container.terminationMessagePolicy ?? '',
      ['File', 'FallbackToLogsOnError'],
      `${path}.terminationMessagePolicy`,
    ),
    ...validatePorts(container, `${path}.ports`),
    ...validateEnv(container, path, parts.context),
    ...validateVolumeMounts(container, parts.volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, parts.volumes, `${path}.volumeDevices`),
    ...validateRequiredOneOf(container.imagePullPolicy ?? '', ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`),
    ...validateResources(container.resources ?? {}, parts, `${path}.resources`, validateContainerResourceName),
    ...validateResizePolicies(container, parts.restartPolicy, `${path}.resizePolicy`),
    ...validateContainerSecurity(
      container,
      { hostUsers: parts.hostUsers, allowPrivileged: parts.context.allowPrivileged },
      `${path}.securityContext`,
    ),
  ];
}

function validatePorts(container: Decoded<corev1.Container>, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(container.ports ?? [], (port, index) => {
    const at = `${path}[${index}]`;
    const [name, number, host] = [port.name ?? '', port.containerPort ?? 0, port.hostPort ?? 0];
    const wrong = name === '' ? none : validateNameWith(isPortName, name, `${at}.name`);
    return [
      ...wrong,
      ...(name === '' || wrong.length > 0 ? none : validateUniqueNames(name, seen, `${at}.name`)),
      ...(number === 0 ? [required(`${at}.containerPort`, '')] : validatePortNumber(number, `${at}.containerPort`)),
      ...(host === 0 ? none : validatePortNumber(host, `${at}.hostPort`)),
      ...validateRequiredOneOf(port.protocol ?? '', protocols, `${at}.protocol`),
    ];
  });
}

/** A host port may only be used once in a pod. */
function validateHostPortConflicts(list: readonly Decoded<corev1.Container>[], path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(list, (container, index) =>
    collectErrors(container.ports ?? [], (port, number) => {
      const host = port.hostPort ?? 0;
      if (host === 0) return none;
      const id = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${host}`;
      return validateUniqueNames(id, seen, `${path}[${index}].ports[${number}].hostPort`);
    }),
  );
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

function validateVolumeMounts(container: Decoded<corev1.Container>, volumes: ReadonlySet<string>, path: string): Errors {
  const devices = container.volumeDevices ?? [];
  const deviceNames = new Set(devices.map(({ name }) => name));
  const devicePaths = new Set(devices.map(({ devicePath }) => devicePath));
  const seen = new Set<string>();
  return collectErrors(container.volumeMounts ?? [], (mount, index) => {
    const at = `${path}[${index}]`;
    const [name, mountPath] = [mount.name ?? '', mount.mountPath ?? ''];
    const again = seen.has(mountPath) ? [invalid(`${at}.mountPath`, mountPath, 'must be unique')] : none;
    seen.add(mountPath);
    return [
      ...(name === '' ? [required(`${at}.name`, '')] : none),
      ...(volumes.has(name) ? none : [notFoundField(`${at}.name`, name)]),
      ...(mountPath === '' ? [required(`${at}.mountPath`, '')] : none),
      ...again,
      ...(deviceNames.has(name) ? [invalid(`${at}.name`, name, 'must not already exist in volumeDevices')] : none),
      ...(devicePaths.has(mountPath) ? [invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices')] : none),
      // Upstream reports all later errors for the whole list.
      ...validateSubPaths(mount, path, at),
      ...validateMountPropagation(mount, container.securityContext?.privileged === true, `${path}.mountPropagation`),
      ...validateRecursiveReadOnly(mount, `${path}.recursiveReadOnly`),
    ];
  });
}

function validateSubPaths({ subPath = '', subPathExpr = '' }: Decoded<corev1.VolumeMount>, path: string, at: string): Errors {
  return [
    ...(subPath === '' ? none : validateDescendingPath(subPath, `${path}.subPath`)),
    ...(subPathExpr !== '' && subPath !== ''
      ? [invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
      : none),
    ...(subPathExpr === '' ? none : validateDescendingPath(subPathExpr, `${path}.subPathExpr`)),
  ];
}

function validateMountPropagation(mount: Decoded<corev1.VolumeMount>, privileged: boolean, path: string): Errors {
  const propagation = mount.mountPropagation;
  if (propagation === 'Bidirectional' && !privileged)
    return [forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers')];
  return validateOneOf(propagation, propagations, path);
}

function validateRecursiveReadOnly(mount: Decoded<corev1.VolumeMount>, path: string): Errors {
  const mode = mount.recursiveReadOnly;
  if (mode === undefined || mode === 'Disabled') return none;
  if (mode !== 'Enabled' && mode !== 'IfPossible') return validateOneOf(mode, ['Disabled', 'Enabled', 'IfPossible'], path);
  return [
    ...(mount.readOnly === true ? none : [forbiddenField(path, 'may only be specified when readOnly is true')]),
    ...((mount.mountPropagation ?? 'None') === 'None'
      ? none
      : [forbiddenField(path, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

function validateVolumeDevices(container: Decoded<corev1.Container>, volumes: ReadonlySet<string>, path: string): Errors {
  const names = new Set<string>();
  const paths = new Set<string>();
  return collectErrors(container.volumeDevices ?? [], (device, index) => {
    const at = `${path}[${index}]`;
    const [name, devicePath] = [device.name ?? '', device.devicePath ?? ''];
    const againName = name !== '' && names.has(name) ? [invalid(`${at}.name`, name, 'must be unique')] : none;
    const againPath = paths.has(devicePath) ? [invalid(`${at}.devicePath`, devicePath, 'must be unique')] : none;
    names.add(name);
    paths.add(devicePath);
    return [
      ...(name === '' ? [required(`${at}.name`, '')] : none),
      ...againName,
      ...(volumes.has(name) ? none : [notFoundField(`${at}.name`, name)]),
      ...(devicePath === '' ? [required(`${at}.devicePath`, '')] : none),
      ...againPath,
    ];
  });
}

/** Compares limits and requests. Cf. upstream ValidateContainerResourceRequirements. */
export function validateResources(
  given: Decoded<corev1.ResourceRequirements>,
  parts: Pick<PodParts, 'context' | 'claims'>,
  path: string,
  nameRule: ResourceNameRule,
): Errors {
  const { context, claims } = parts;
  const [limits, requests] = [given.limits ?? {}, given.requests ?? {}];
  const amounts = (part: string, list: JsonObject): Errors =>
    collectErrors(Object.keys(list), (name) => {
      const [amount, at] = [String(list[name]), `${path}.${part}[${name}]`];
      return [
        ...nameRule(name, at, context),
        ...validateResourceAmount(name, amount, at, context),
        ...(part === 'requests' ? validateWithinLimit(name, amount, limits[name], context, path) : none),
        ...validateHugePages(name, amount, at),
      ];
    });
  return [
    ...amounts('limits', limits),
    ...amounts('requests', requests),
    ...(hasOnlyHugePages(limits, requests) ? [forbiddenField(path, 'HugePages require cpu or memory')] : none),
    ...validateClaimNames(given, claims, `${path}.claims`),
  ];
}

function hasOnlyHugePages(limits: JsonObject, requests: JsonObject): boolean {
  if ([limits, requests].some((list) => list['cpu'] !== undefined || list['memory'] !== undefined)) return false;
  return Object.keys(limits).some(isHugePage) || Object.keys(requests).some(isHugePage);
}

/** Huge pages are not divisible. */
function validateHugePages(name: string, amount: string, path: string): Errors {
  if (!isHugePage(name)) return none;
  const size = name.slice('hugepages-'.length);
  if (!isQuantity(size)) return none;
  const [page, bytes] = [quantityInteger(parseQuantity(size)), quantityInteger(parseQuantity(amount))];
  if (page <= 0n || bytes % page === 0n) return none;
  return [invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)];
}

function validateWithinLimit(name: string, amount: string, limit: unknown, context: ValidationContext, path: string): Errors {
  const free = isOvercommitAllowed(name, context);
  if (typeof limit !== 'string') return free ? none : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const order = compareQuantities(parseQuantity(amount), parseQuantity(limit));
  if (order !== 0 && !free) return [invalid(`${path}.requests`, amount, `must be equal to ${name} limit of ${limit}`)];
  return order > 0 ? [invalid(`${path}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`)] : none;
}

function validateClaimNames(given: Decoded<corev1.ResourceRequirements>, { names, listed }: ClaimNames, path: string): Errors {
  const seen: SeenClaims = { whole: new Set(), requests: new Map() };
  return collectErrors(given.claims ?? [], (claim, index) => {
    const at = `${path}[${index}]`;
    const [name, request] = [claim.name ?? '', claim.request ?? ''];
    if (name === '') return [required(at, '')];
    return [...validateUniqueClaim(name, request, seen, at), ...(names.has(name) ? none : [unknownClaimError(name, listed, at)])];
  });
}

/** The claims that a container references: as a whole, and the requests of the others. */
interface SeenClaims {
  readonly whole: Set<string>;
  readonly requests: Map<string, Set<string>>;
}

/** A claim is referenced as a whole or by its requests, and each only once. */
function validateUniqueClaim(name: string, request: string, { whole, requests }: SeenClaims, path: string): Errors {
  if (whole.has(name)) return [duplicate(path, name)];
  const known = requests.get(name) ?? new Set<string>();
  if (request !== '') {
    requests.set(name, known);
    return [...validateDnsLabel(request, `${path}.request`), ...validateUniqueNames(`${name}/${request}`, known, path)];
  }
  whole.add(name);
  return [...known].map(() => duplicate(path, name));
}

function unknownClaimError(name: string, listed: string, path: string): Errors[number] {
  const error = notFoundField(path, name);
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${listed}` };
}

function validateResizePolicies(container: Decoded<corev1.Container>, podRestartPolicy: string, path: string): Errors {
  const seen = new Set<string>();
  return collectErrors(container.resizePolicy ?? [], (policy, index) => {
    const resource = policy.resourceName ?? '';
    const restart = policy.restartPolicy ?? '';
    const again = seen.has(resource) ? [duplicate(`${path}[${index}]`, resource)] : none;
    seen.add(resource);
    return [
      ...again,
      ...validateRequiredOneOf(resource, ['cpu', 'memory'], path),
      ...validateRequiredOneOf(restart, ['NotRequired', 'RestartContainer'], path),
      ...(podRestartPolicy === 'Never' && restart !== 'NotRequired'
        ? [invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'")]
        : none),
    ];
  });
}
