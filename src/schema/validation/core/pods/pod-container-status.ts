import {
  collectErrors,
  duplicate,
  type FeatureGates,
  type FieldError,
  forbiddenField,
  groupBy,
  invalid,
  type JsonObject,
  parseIp,
  repeatedIndexes,
  validateLegacyIp,
} from '../../../../meta/index.ts';
import type { corev1 } from '../../../api/index.ts';
import { int64At } from '../../accessors.ts';
import { type Errors, none, unsupported, validateRange } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';
import { isRestartedBy, mayRestart } from './restart-rules.ts';

/** The container statuses of a pod, and their containers in the spec. */
const lists = [
  { statuses: 'containerStatuses', containers: 'containers' },
  { statuses: 'initContainerStatuses', containers: 'initContainers' },
  { statuses: 'ephemeralContainerStatuses', containers: 'ephemeralContainers' },
] as const;

/** The first container of each name. */
function firstByName<T extends { readonly name?: string | undefined }>(containers: readonly T[]): ReadonlyMap<string, T> {
  return new Map(containers.map((one) => [one.name ?? '', one] as const).reverse());
}

/** A container that terminated for good must not run again. Cf. upstream ValidateContainerStateTransition and its siblings. */
export function validateContainerTransitions(
  status: Decoded<corev1.PodStatus>,
  before: Decoded<corev1.PodStatus>,
  spec: Decoded<corev1.PodSpec>,
  gates: FeatureGates,
): Errors {
  const policy = spec.restartPolicy ?? '';
  const sidecars = new Set(
    (spec.initContainers ?? []).filter((one) => (one.restartPolicy ?? '') === 'Always').map((one) => one.name ?? ''),
  );
  const containers = firstByName(spec.containers ?? []);
  const restarts = (name: string, exitCode: number): boolean => {
    if (!gates.enabled('ContainerRestartRules')) return isRestartedBy(policy, exitCode);
    const container = containers.get(name);
    return container !== undefined && mayRestart(container, policy, exitCode);
  };
  return lists.flatMap(({ statuses }) => {
    const running = groupBy(
      (status[statuses] ?? []).filter((one) => !terminated(one)),
      (one) => one.name ?? '',
    );
    return collectErrors(before[statuses] ?? [], (old, index) => {
      const ended = terminated(old);
      if (!ended) return none;
      const [name, exitCode] = [old.name ?? '', ended.exitCode ?? 0];
      if (statuses === 'containerStatuses' && restarts(name, exitCode)) return none;
      if (statuses === 'initContainerStatuses' && (isRestartedBy(policy, exitCode) || sidecars.has(name))) return none;
      return (running.get(name) ?? []).map(() =>
        forbiddenField(`status.${statuses}[${index}].state`, 'may not be transitioned to non-terminated state'),
      );
    });
  });
}

function terminated(status: Decoded<corev1.ContainerStatus>): Decoded<corev1.ContainerStateTerminated> | undefined {
  return status.state?.terminated;
}

/** Validates the user of each container, and the health of its allocated resources. */
export function validateContainerDetails(status: Decoded<corev1.PodStatus>, spec: Decoded<corev1.PodSpec>): Errors {
  const os = (spec.os?.name ?? '') || 'linux';
  return [
    ...lists.flatMap(({ statuses }) =>
      collectErrors(status[statuses] ?? [], (one, index) => validateContainerUser(one, os, `status.${statuses}[${index}].user.linux`)),
    ),
    ...lists.flatMap(({ statuses, containers }) => {
      const declared = new Map([...firstByName(spec[containers] ?? [])].map(([name, container]) => [name, declaredResources(container)]));
      return collectErrors(status[statuses] ?? [], (one, index) => {
        const path = `status.${statuses}[${index}].allocatedResourcesStatus`;
        const allocated = one.allocatedResourcesStatus ?? [];
        if (statuses === 'ephemeralContainerStatuses') {
          return allocated.length === 0 ? none : [forbiddenField(path, 'must not be specified in container status')];
        }
        const known = declared.get(one.name ?? '');
        return collectErrors(allocated, (resource, place) => validateAllocatedResource(resource, known, `${path}[${place}]`));
      });
    }),
  ];
}

const maxId = 2_147_483_647;

function validateContainerUser(status: Decoded<corev1.ContainerStatus>, os: string, path: string): Errors {
  const user = status.user?.linux;
  if (!user) return none;
  if (os === 'windows') return [forbiddenField(path, 'cannot be set for a windows pod')];
  const id = (value: number | bigint, at: string): Errors => validateRange(value, 0, maxId, at);
  return [
    ...id(int64At(user, 'uid') ?? 0, `${path}.uid`),
    ...id(int64At(user, 'gid') ?? 0, `${path}.gid`),
    ...collectErrors(user.supplementalGroups ?? [], (group, index) => id(group as number | bigint, `${path}.supplementalGroups[${index}]`)),
  ];
}

const healthValues = ['Healthy', 'Unhealthy', 'Unknown'];
const claimFormat = "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";

/** The resources of a container's spec that its status may list. */
interface DeclaredResources {
  readonly requests: JsonObject;
  /** In the format of statuses. */
  readonly claims: ReadonlySet<string>;
}

function declaredResources(container: Decoded<corev1.Container>): DeclaredResources {
  const resources = container.resources ?? {};
  const claims = (resources.claims ?? []).map((claim) => {
    const request = claim.request ?? '';
    return `claim:${claim.name ?? ''}${request === '' ? '' : `/${request}`}`;
  });
  return { requests: resources.requests ?? {}, claims: new Set(claims) };
}

function validateAllocatedResource(
  resource: Decoded<corev1.ResourceStatus>,
  declared: DeclaredResources | undefined,
  path: string,
): Errors {
  const name = resource.name ?? '';
  const errors: FieldError[] = [];
  if (declared) {
    const isClaim = name.startsWith('claim:');
    const known = isClaim ? declared.claims.has(name) : Object.hasOwn(declared.requests, name);
    const why = isClaim ? `resource claims in a format ${claimFormat}` : 'resource requests';
    if (!known) errors.push(invalid(`${path}.name`, name, `must match one of the container's ${why}`));
  }
  const ids = (resource.resources ?? []).map((one) => one.resourceID ?? '');
  const repeated = repeatedIndexes(ids);
  for (const [index, one] of (resource.resources ?? []).entries()) {
    const health = one.health ?? '';
    const id = ids[index] ?? '';
    if (!healthValues.includes(health)) errors.push(unsupported(`${path}.resources[${index}].health`, health, healthValues));
    if (repeated.has(index)) errors.push(duplicate(`${path}.resources[${index}].resourceID`, id));
  }
  return errors;
}

/** Validates pod and host addresses: one of each family; stored invalid ones stay valid. */
export function validatePodAddresses(status: Decoded<corev1.PodStatus>, before: Decoded<corev1.PodStatus>, gates: FeatureGates): Errors {
  const hosts = (status.hostIPs ?? []).map((one) => one.ip ?? '');
  const [host = ''] = hosts;
  const differs = hosts.length > 0 && (status.hostIP ?? '') !== host;
  return [
    ...validateAddressList(status, before, 'podIPs', gates),
    ...(differs ? [invalid('status.hostIPs[0].ip', host, 'must be equal to `hostIP`')] : none),
    ...validateAddressList(status, before, 'hostIPs', gates),
  ];
}

function validateAddressList(
  status: Decoded<corev1.PodStatus>,
  before: Decoded<corev1.PodStatus>,
  list: 'podIPs' | 'hostIPs',
  gates: FeatureGates,
): Errors {
  const path = `status.${list}`;
  const addressesOf = (of: Decoded<corev1.PodStatus>): readonly string[] => (of[list] ?? []).map(({ ip = '' }) => ip);
  const [addresses, known] = [addressesOf(status), addressesOf(before)];
  const errors = collectErrors(addresses, (address, index) => validateLegacyIp(`${path}[${index}]`, address, gates, known));
  if (addresses.length <= 1) return errors;
  const families = addresses.map((address) => parseIp(address)?.family);
  const unread = families.indexOf(undefined);
  if (unread >= 0) {
    const why = `failed to check for dual stack with error:invalid IP[${unread}]: ${addresses[unread]}`;
    errors.push({ reason: 'InternalError', field: path, message: `Internal error: ${why}` });
  }
  const isDual = unread < 0 && new Set(families).size === 2;
  const shown = addresses.map((address) => ({ IP: address }));
  if (!isDual || addresses.length > 2) errors.push(invalid(path, shown, 'may specify no more than one IP for each IP family'));
  return errors;
}
