import {
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
} from '../../../meta/index.ts';
import { numberAt, objectsAt, optionalTextAt, recordAt, textAt } from '../accessors.ts';
import { dnsLabel, type Errors, nameErrors, none, oneOf, portNumber, requiredOneOf } from '../checks.ts';
import type { ValidationContext } from '../kind-validator.ts';
import { protocols } from './endpoints.ts';
import { environment } from './env.ts';
import { descendingPath } from './paths.ts';
import { probesAndHooks } from './probes.ts';
import { containerResourceName, isHugePage, isOvercommitAllowed, type ResourceNameRule, resourceAmount } from './resource-names.ts';
import { initRestartRules, restartRules } from './restart-rules.ts';
import { containerSecurity } from './security.ts';

/** Parts of a pod that containers may refer to. */
export interface PodParts {
  readonly context: ValidationContext;
  readonly volumes: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  readonly graceSeconds: number;
  /** Whether the pod shares the host's user namespace. */
  readonly hostUsers: boolean;
  readonly restartPolicy: string;
  /** The operating system of the pod, if set. */
  readonly system: string | undefined;
}

/** Cf. upstream validateContainers. */
export function containers(spec: JsonObject, parts: PodParts, path: string): Errors {
  const list = objectsAt(spec, 'containers');
  if (list.length === 0) return [required(path, '')];
  const seen = new Set<string>();
  return [
    ...list.flatMap((container, index) => {
      const at = `${path}[${index}]`;
      return [
        ...commonContainer(container, parts, at),
        ...uniqueNames(textAt(container, 'name'), seen, `${at}.name`),
        ...probesAndHooks(container, parts, at),
        ...restartRules(container, at),
      ];
    }),
    ...hostPortConflicts(list, path),
  ];
}

/** Cf. upstream validateInitContainers. */
export function initContainers(spec: JsonObject, parts: PodParts, path: string): Errors {
  const seen = new Set(objectsAt(spec, 'containers').map((container) => textAt(container, 'name')));
  const list = objectsAt(spec, 'initContainers');
  return list.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const restart = optionalTextAt(container, 'restartPolicy');
    const name = textAt(container, 'name');
    return [
      ...commonContainer(container, parts, at),
      ...initRestartRules(container, at),
      ...(name === '' ? none : uniqueNames(name, seen, `${at}.name`)),
      ...hostPortConflicts([container], path),
      ...(restart === 'Always' ? probesAndHooks(container, parts, at) : sidecarOnlyErrors(container, at)),
    ];
  });
}

function sidecarOnlyErrors(container: JsonObject, path: string): Errors {
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
export function ephemeralContainers(spec: JsonObject, parts: PodParts, path: string): Errors {
  const others = ['containers', 'initContainers'].flatMap((list) => objectsAt(spec, list));
  const seen = new Set(others.map((container) => textAt(container, 'name')));
  const targets = new Set(seen);
  return objectsAt(spec, 'ephemeralContainers').flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const target = textAt(container, 'targetContainerName');
    return [
      ...commonContainer(container, parts, at),
      ...uniqueNames(textAt(container, 'name'), seen, `${at}.name`),
      ...(target === '' || targets.has(target) ? none : [notFoundField(`${at}.targetContainerName`, target)]),
      ...notForEphemeral
        .filter((field) => container[field] !== undefined && (field !== 'resources' || Object.keys(recordAt(container, field)).length > 0))
        .map((field) => forbiddenField(`${at}.${field}`, 'cannot be set for an Ephemeral Container')),
      ...objectsAt(container, 'volumeMounts').flatMap((mount, number) =>
        ['subPath', 'subPathExpr']
          .filter((field) => textAt(mount, field) !== '')
          .map((field) => forbiddenField(`${at}.volumeMounts[${number}].${field}`, 'cannot be set for an Ephemeral Container')),
      ),
    ];
  });
}

function uniqueNames(name: string, seen: Set<string>, path: string): Errors {
  if (seen.has(name)) return [duplicate(path, name)];
  seen.add(name);
  return none;
}

function commonContainer(container: JsonObject, parts: PodParts, path: string): Errors {
  const name = textAt(container, 'name');
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : dnsLabel(name, `${path}.name`)),
    ...(textAt(container, 'image') === '' ? [required(`${path}.image`, '')] : none),
    ...requiredOneOf(textAt(container, 'terminationMessagePolicy'), ['File', 'FallbackToLogsOnError'], `${path}.terminationMessagePolicy`),
    ...ports(container, `${path}.ports`),
    ...environment(container, path, parts.context),
    ...volumeMounts(container, parts.volumes, `${path}.volumeMounts`),
    ...volumeDevices(container, parts.volumes, `${path}.volumeDevices`),
    ...requiredOneOf(textAt(container, 'imagePullPolicy'), ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`),
    ...resources(recordAt(container, 'resources'), parts, `${path}.resources`, containerResourceName),
    ...resizePolicies(container, parts.restartPolicy, `${path}.resizePolicy`),
    ...containerSecurity(container, parts.hostUsers, `${path}.securityContext`),
  ];
}

function ports(container: JsonObject, path: string): Errors {
  const seen = new Set<string>();
  return objectsAt(container, 'ports').flatMap((port, index) => {
    const at = `${path}[${index}]`;
    const [name, number, host] = [textAt(port, 'name'), numberAt(port, 'containerPort') ?? 0, numberAt(port, 'hostPort') ?? 0];
    const wrong = name === '' ? none : nameErrors(isPortName, name, `${at}.name`);
    return [
      ...wrong,
      ...(name === '' || wrong.length > 0 ? none : uniqueNames(name, seen, `${at}.name`)),
      ...(number === 0 ? [required(`${at}.containerPort`, '')] : portNumber(number, `${at}.containerPort`)),
      ...(host === 0 ? none : portNumber(host, `${at}.hostPort`)),
      ...requiredOneOf(textAt(port, 'protocol'), protocols, `${at}.protocol`),
    ];
  });
}

/** A host port may only be used once in a pod. */
function hostPortConflicts(list: readonly JsonObject[], path: string): Errors {
  const seen = new Set<string>();
  return list.flatMap((container, index) =>
    objectsAt(container, 'ports').flatMap((port, number) => {
      const host = numberAt(port, 'hostPort') ?? 0;
      if (host === 0) return none;
      const id = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`;
      return uniqueNames(id, seen, `${path}[${index}].ports[${number}].hostPort`);
    }),
  );
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];

function volumeMounts(container: JsonObject, volumes: ReadonlySet<string>, path: string): Errors {
  const devices = objectsAt(container, 'volumeDevices');
  const seen = new Set<string>();
  return objectsAt(container, 'volumeMounts').flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const [name, mountPath, subPath, subPathExpr] = [
      textAt(mount, 'name'),
      textAt(mount, 'mountPath'),
      textAt(mount, 'subPath'),
      textAt(mount, 'subPathExpr'),
    ];
    const again = seen.has(mountPath) ? [invalid(`${at}.mountPath`, mountPath, 'must be unique')] : none;
    seen.add(mountPath);
    return [
      ...(name === '' ? [required(`${at}.name`, '')] : none),
      ...(volumes.has(name) ? none : [notFoundField(`${at}.name`, name)]),
      ...(mountPath === '' ? [required(`${at}.mountPath`, '')] : none),
      ...again,
      ...(devices.some((device) => device['name'] === name)
        ? [invalid(`${at}.name`, name, 'must not already exist in volumeDevices')]
        : none),
      ...(devices.some((device) => device['devicePath'] === mountPath)
        ? [invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices')]
        : none),
      // Upstream reports all later errors for the whole list.
      ...(subPath === '' ? none : descendingPath(subPath, `${path}.subPath`)),
      ...(subPathExpr !== '' && subPath !== ''
        ? [invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive')]
        : none),
      ...(subPathExpr === '' ? none : descendingPath(subPathExpr, `${path}.subPathExpr`)),
      ...mountPropagation(mount, recordAt(container, 'securityContext')['privileged'] === true, `${path}.mountPropagation`),
      ...recursiveReadOnly(mount, `${path}.recursiveReadOnly`),
    ];
  });
}

function mountPropagation(mount: JsonObject, privileged: boolean, path: string): Errors {
  const propagation = optionalTextAt(mount, 'mountPropagation');
  if (propagation === 'Bidirectional' && !privileged)
    return [forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers')];
  return oneOf(propagation, propagations, path);
}

function recursiveReadOnly(mount: JsonObject, path: string): Errors {
  const mode = optionalTextAt(mount, 'recursiveReadOnly');
  if (mode === undefined || mode === 'Disabled') return none;
  if (mode !== 'Enabled' && mode !== 'IfPossible') return oneOf(mode, ['Disabled', 'Enabled', 'IfPossible'], path);
  return [
    ...(mount['readOnly'] === true ? none : [forbiddenField(path, 'may only be specified when readOnly is true')]),
    ...((optionalTextAt(mount, 'mountPropagation') ?? 'None') === 'None'
      ? none
      : [forbiddenField(path, 'may only be specified when mountPropagation is None or not specified')]),
  ];
}

function volumeDevices(container: JsonObject, volumes: ReadonlySet<string>, path: string): Errors {
  const names = new Set<string>();
  const paths = new Set<string>();
  return objectsAt(container, 'volumeDevices').flatMap((device, index) => {
    const at = `${path}[${index}]`;
    const [name, devicePath] = [textAt(device, 'name'), textAt(device, 'devicePath')];
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
export function resources(
  given: JsonObject,
  parts: Pick<PodParts, 'context' | 'claims'>,
  path: string,
  nameRule: ResourceNameRule,
): Errors {
  const { context, claims } = parts;
  const [limits, requests] = [recordAt(given, 'limits'), recordAt(given, 'requests')];
  const amounts = (part: string, list: JsonObject): Errors =>
    Object.entries(list).flatMap(([name, amount]) => [
      ...nameRule(name, `${path}.${part}[${name}]`, context),
      ...resourceAmount(name, String(amount), `${path}.${part}[${name}]`, context),
      ...hugePages(name, String(amount), `${path}.${part}[${name}]`),
      ...(part === 'requests' ? withinLimit(name, String(amount), limits[name], context, path) : none),
    ]);
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const onlyHugePages = names.some(isHugePage) && !names.some((name) => name === 'cpu' || name === 'memory');
  return [
    ...amounts('limits', limits),
    ...amounts('requests', requests),
    ...(onlyHugePages ? [forbiddenField(path, 'HugePages require cpu or memory')] : none),
    ...claimNames(given, claims, `${path}.claims`),
  ];
}

/** Huge pages are not divisible. */
function hugePages(name: string, amount: string, path: string): Errors {
  if (!isHugePage(name)) return none;
  const size = name.slice('hugepages-'.length);
  if (!isQuantity(size)) return none;
  const [page, bytes] = [quantityInteger(parseQuantity(size)), quantityInteger(parseQuantity(amount))];
  if (page <= 0n || bytes % page === 0n) return none;
  return [invalid(path, amount, `${amount} is not positive integer multiple of ${name}`)];
}

function withinLimit(name: string, amount: string, limit: unknown, context: ValidationContext, path: string): Errors {
  const free = isOvercommitAllowed(name, context);
  if (typeof limit !== 'string') return free ? none : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const order = compareQuantities(parseQuantity(amount), parseQuantity(limit));
  if (order !== 0 && !free) return [invalid(`${path}.requests`, amount, `must be equal to ${name} limit of ${limit}`)];
  return order > 0 ? [invalid(`${path}.requests`, amount, `must be less than or equal to ${name} limit of ${limit}`)] : none;
}

function claimNames(given: JsonObject, claims: ReadonlySet<string>, path: string): Errors {
  const seen = new Set<string>();
  return objectsAt(given, 'claims').flatMap((claim, index) => {
    const at = `${path}[${index}]`;
    const [name, request] = [textAt(claim, 'name'), textAt(claim, 'request')];
    if (name === '') return [required(at, '')];
    return [...uniqueClaim(name, request, seen, at), ...(claims.has(name) ? none : [unknownClaim(name, claims, at)])];
  });
}

/** A claim is referenced as a whole or by its requests, and each only once. */
function uniqueClaim(name: string, request: string, seen: Set<string>, path: string): Errors {
  if (seen.has(name)) return [duplicate(path, name)];
  const requests = request === '' ? [...seen].filter((key) => key.startsWith(`${name}/`)) : [];
  return [
    ...(request === '' ? none : dnsLabel(request, `${path}.request`)),
    ...uniqueNames(request === '' ? name : `${name}/${request}`, seen, path),
    ...requests.map(() => duplicate(path, name)),
  ];
}

function unknownClaim(name: string, claims: ReadonlySet<string>, path: string): Errors[number] {
  const known = claims.size === 0 ? ' which is empty' : `: ${[...claims].sort().join(', ')}`;
  const error = notFoundField(path, name);
  return { ...error, message: `${error.message}: must be one of the names in pod.spec.resourceClaims${known}` };
}

function resizePolicies(container: JsonObject, podRestartPolicy: string, path: string): Errors {
  const seen = new Set<string>();
  return objectsAt(container, 'resizePolicy').flatMap((policy, index) => {
    const resource = textAt(policy, 'resourceName');
    const restart = textAt(policy, 'restartPolicy');
    const again = seen.has(resource) ? [duplicate(`${path}[${index}]`, resource)] : none;
    seen.add(resource);
    return [
      ...again,
      ...requiredOneOf(resource, ['cpu', 'memory'], path),
      ...requiredOneOf(restart, ['NotRequired', 'RestartContainer'], path),
      ...(podRestartPolicy === 'Never' && restart !== 'NotRequired'
        ? [invalid(path, restart, "must be 'NotRequired' when `restartPolicy` is 'Never'")]
        : none),
    ];
  });
}
