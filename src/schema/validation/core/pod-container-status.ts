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
} from '../../../meta/index.ts';
import { int64At, listAt, numberAt, objectsAt, optionalRecordAt, recordAt, textAt } from '../accessors.ts';
import { type Errors, none, unsupported, validateRange } from '../checks.ts';
import { isRestartedBy, mayRestart } from './restart-rules.ts';

/** The container statuses of a pod, and their containers in the spec. */
const lists = [
  { statuses: 'containerStatuses', containers: 'containers' },
  { statuses: 'initContainerStatuses', containers: 'initContainers' },
  { statuses: 'ephemeralContainerStatuses', containers: 'ephemeralContainers' },
] as const;

/** The first container of each name. */
function firstByName(containers: readonly JsonObject[]): ReadonlyMap<string, JsonObject> {
  return new Map(containers.map((one) => [textAt(one, 'name'), one] as const).reverse());
}

/** A container that terminated for good must not run again. Cf. upstream ValidateContainerStateTransition and its siblings. */
export function validateContainerTransitions(status: JsonObject, before: JsonObject, spec: JsonObject, gates: FeatureGates): Errors {
  const policy = textAt(spec, 'restartPolicy');
  const sidecars = new Set(
    objectsAt(spec, 'initContainers')
      .filter((one) => textAt(one, 'restartPolicy') === 'Always')
      .map((one) => textAt(one, 'name')),
  );
  const containers = firstByName(objectsAt(spec, 'containers'));
  const restarts = (name: string, exitCode: number): boolean => {
    if (!gates.enabled('ContainerRestartRules')) return isRestartedBy(policy, exitCode);
    const container = containers.get(name);
    return container !== undefined && mayRestart(container, policy, exitCode);
  };
  return lists.flatMap(({ statuses }) => {
    const running = groupBy(
      objectsAt(status, statuses).filter((one) => !terminated(one)),
      (one) => textAt(one, 'name'),
    );
    return collectErrors(objectsAt(before, statuses), (old, index) => {
      const ended = terminated(old);
      if (!ended) return none;
      const [name, exitCode] = [textAt(old, 'name'), numberAt(ended, 'exitCode') ?? 0];
      if (statuses === 'containerStatuses' && restarts(name, exitCode)) return none;
      if (statuses === 'initContainerStatuses' && (isRestartedBy(policy, exitCode) || sidecars.has(name))) return none;
      return (running.get(name) ?? []).map(() =>
        forbiddenField(`status.${statuses}[${index}].state`, 'may not be transitioned to non-terminated state'),
      );
    });
  });
}

function terminated(status: JsonObject): JsonObject | undefined {
  return optionalRecordAt(recordAt(status, 'state'), 'terminated');
}

/** Validates the user of each container, and the health of its allocated resources. */
export function validateContainerDetails(status: JsonObject, spec: JsonObject): Errors {
  const os = textAt(recordAt(spec, 'os'), 'name') || 'linux';
  return [
    ...lists.flatMap(({ statuses }) =>
      collectErrors(objectsAt(status, statuses), (one, index) => validateContainerUser(one, os, `status.${statuses}[${index}].user.linux`)),
    ),
    ...lists.flatMap(({ statuses, containers }) => {
      const declared = new Map(
        [...firstByName(objectsAt(spec, containers))].map(([name, container]) => [name, declaredResources(container)]),
      );
      return collectErrors(objectsAt(status, statuses), (one, index) => {
        const path = `status.${statuses}[${index}].allocatedResourcesStatus`;
        const allocated = objectsAt(one, 'allocatedResourcesStatus');
        if (statuses === 'ephemeralContainerStatuses') {
          return allocated.length === 0 ? none : [forbiddenField(path, 'must not be specified in container status')];
        }
        const known = declared.get(textAt(one, 'name'));
        return collectErrors(allocated, (resource, place) => validateAllocatedResource(resource, known, `${path}[${place}]`));
      });
    }),
  ];
}

const maxId = 2_147_483_647;

function validateContainerUser(status: JsonObject, os: string, path: string): Errors {
  const user = optionalRecordAt(recordAt(status, 'user'), 'linux');
  if (!user) return none;
  if (os === 'windows') return [forbiddenField(path, 'cannot be set for a windows pod')];
  const id = (value: number | bigint, at: string): Errors => validateRange(value, 0, maxId, at);
  return [
    ...id(int64At(user, 'uid') ?? 0, `${path}.uid`),
    ...id(int64At(user, 'gid') ?? 0, `${path}.gid`),
    ...collectErrors(listAt(user, 'supplementalGroups'), (group, index) =>
      id(group as number | bigint, `${path}.supplementalGroups[${index}]`),
    ),
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

function declaredResources(container: JsonObject): DeclaredResources {
  const resources = recordAt(container, 'resources');
  const claims = objectsAt(resources, 'claims').map((claim) => {
    const request = textAt(claim, 'request');
    return `claim:${textAt(claim, 'name')}${request === '' ? '' : `/${request}`}`;
  });
  return { requests: recordAt(resources, 'requests'), claims: new Set(claims) };
}

function validateAllocatedResource(resource: JsonObject, declared: DeclaredResources | undefined, path: string): Errors {
  const name = textAt(resource, 'name');
  const errors: FieldError[] = [];
  if (declared) {
    const isClaim = name.startsWith('claim:');
    const known = isClaim ? declared.claims.has(name) : Object.hasOwn(declared.requests, name);
    const why = isClaim ? `resource claims in a format ${claimFormat}` : 'resource requests';
    if (!known) errors.push(invalid(`${path}.name`, name, `must match one of the container's ${why}`));
  }
  const ids = objectsAt(resource, 'resources').map((one) => textAt(one, 'resourceID'));
  const repeated = repeatedIndexes(ids);
  for (const [index, one] of objectsAt(resource, 'resources').entries()) {
    const health = textAt(one, 'health');
    const id = ids[index] ?? '';
    if (!healthValues.includes(health)) errors.push(unsupported(`${path}.resources[${index}].health`, health, healthValues));
    if (repeated.has(index)) errors.push(duplicate(`${path}.resources[${index}].resourceID`, id));
  }
  return errors;
}

/** Validates pod and host addresses: one of each family; stored invalid ones stay valid. */
export function validatePodAddresses(status: JsonObject, before: JsonObject, gates: FeatureGates): Errors {
  const hosts = objectsAt(status, 'hostIPs').map((one) => textAt(one, 'ip'));
  const [host = ''] = hosts;
  const differs = hosts.length > 0 && textAt(status, 'hostIP') !== host;
  return [
    ...validateAddressList(status, before, 'podIPs', gates),
    ...(differs ? [invalid('status.hostIPs[0].ip', host, 'must be equal to `hostIP`')] : none),
    ...validateAddressList(status, before, 'hostIPs', gates),
  ];
}

function validateAddressList(status: JsonObject, before: JsonObject, list: 'podIPs' | 'hostIPs', gates: FeatureGates): Errors {
  const path = `status.${list}`;
  const addressesOf = (of: JsonObject): readonly string[] => objectsAt(of, list).map((one) => textAt(one, 'ip'));
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
