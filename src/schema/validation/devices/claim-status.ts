import {
  collectErrors,
  type FieldError,
  forbiddenField,
  invalid,
  isDns1123Label,
  repeatedIndexes,
  tooLong,
  validateInterfaceAddress,
} from '../../../meta/index.ts';
import type { resourcev1 } from '../../api/index.ts';
import { semanticKey } from '../accessors.ts';
import { type Errors, none, validateImmutable, validateNameWith, validateRequiredOneOf, validateRequiredText } from '../checks.ts';
import { validateLimitedConditions } from '../conditions.ts';
import { validateNodeSelector } from '../core/pods/scheduling.ts';
import { validateDriverName } from '../core/volumes/volume-sources.ts';
import type { Decoded } from '../decoded.ts';
import { maxParameters, validateDeviceConfiguration, validateRawObject } from './configuration.ts';
import {
  validateBindingConditions,
  validatePoolName,
  validateRequestReference,
  validateRequestReferences,
  validateSet,
  validateSlice,
} from './names.ts';

const maxConsumers = 256;
const maxResults = 32;
/** Limit for the configurations of the claim and its class together. */
const maxConfigurations = 64;
const maxConditions = 8;
const maxInterfaceName = 256;
const maxHardwareAddress = 128;
const maxAddresses = 16;

/** Allocation, reservations and device status of a claim. Cf. upstream ValidateResourceClaimStatusUpdate. */
export function validateClaimStatus(
  next: Decoded<resourcev1.ResourceClaim>,
  old: Decoded<resourcev1.ResourceClaim>,
  requests: ReadonlySet<string>,
): Errors {
  const [status, before] = [next.status ?? {}, old.status ?? {}];
  const allocation = status.allocation;
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceId));
  const isDeleted = next.metadata?.deletionTimestamp !== undefined;
  return [
    ...validateSet(
      status.reservedFor ?? [],
      { max: maxConsumers, check: validateConsumer, key: (one) => one.uid ?? '', member: 'uid' },
      'status.reservedFor',
    ),
    ...collectErrors(status.devices ?? [], (one, index) => validateDeviceStatus(one, allocated, `status.devices[${index}]`)),
    ...validateDuplicateDevice(status.devices ?? []),
    ...validateReservation(status, before, isDeleted),
    ...(allocation ? validateAllocation(allocation, before.allocation, requests) : none),
  ];
}

function validateAllocation(
  allocation: Decoded<resourcev1.AllocationResult>,
  before: Decoded<resourcev1.AllocationResult> | undefined,
  requests: ReadonlySet<string>,
): Errors {
  const path = 'status.allocation';
  if (before) return validateImmutable(allocation, before, path);
  const devices = allocation.devices ?? {};
  const selector = allocation.nodeSelector;
  return [
    ...validateSlice(
      devices.results ?? [],
      maxResults,
      (one, at) => validateAllocatedDevices(one, requests, at),
      `${path}.devices.results`,
    ),
    ...validateSlice(
      devices.config ?? [],
      maxConfigurations,
      (one, at) => [
        ...validateRequiredOneOf(one.source ?? '', ['FromClaim', 'FromClass'], `${at}.source`),
        ...validateRequestReferences(one, requests, at),
        ...validateDeviceConfiguration(one, at),
      ],
      `${path}.devices.config`,
    ),
    ...(selector ? validateNodeSelector(selector, `${path}.nodeSelector`) : none),
  ];
}

function validateAllocatedDevices(
  result: Decoded<resourcev1.DeviceRequestAllocationResult>,
  requests: ReadonlySet<string>,
  path: string,
): Errors {
  return [
    ...validateRequestReference(result.request ?? '', requests, `${path}.request`),
    ...validateDeviceNames(result, path),
    ...validateBindingConditions(result, path),
    ...validateShareId(result.shareID, `${path}.shareID`),
  ];
}

/** A device in an allocation or in a status. */
type DeviceNames = Pick<Decoded<resourcev1.AllocatedDeviceStatus>, 'driver' | 'pool' | 'device' | 'shareID'>;

function validateDeviceNames({ driver = '', pool = '', device = '' }: DeviceNames, path: string): Errors {
  return [
    ...validateDriverName(driver, `${path}.driver`),
    ...validatePoolName(pool, `${path}.pool`),
    ...validateNameWith(isDns1123Label, device, `${path}.device`),
  ];
}

function validateShareId(id: string | undefined, path: string): Errors {
  if (id === undefined) return none;
  const hex = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  const lengths = [32, 36, 38, 45];
  if (!lengths.includes(id.length)) return [invalid(path, id, `error validating uid: invalid UUID length: ${id.length}`)];
  if (!hex.test(id)) return [invalid(path, id, 'error validating uid: invalid UUID format')];
  const normalized =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  return id === id.toLowerCase() ? none : [invalid(path, id, normalized)];
}

function validateReservation(
  status: Decoded<resourcev1.ResourceClaimStatus>,
  before: Decoded<resourcev1.ResourceClaimStatus>,
  isDeleted: boolean,
): Errors {
  const consumers = status.reservedFor ?? [];
  if (consumers.length === 0) return none;
  if (!status.allocation) return [forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set')];
  const known = new Set((before.reservedFor ?? []).map(semanticKey));
  if (!isDeleted || consumers.every((one) => known.has(semanticKey(one)))) return none;
  return [
    forbiddenField('status.reservedFor', 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'),
  ];
}

function validateConsumer(reference: Decoded<resourcev1.ResourceClaimConsumerReference>, path: string): Errors {
  return ['resource', 'name', 'uid'].flatMap((field) => validateRequiredText(reference, field, path));
}

/** `driver/pool/device`, followed by the share id of a shared device. */
export function deviceId({ driver = '', pool = '', device = '', shareID }: DeviceNames): string {
  const id = `${driver}/${pool}/${device}`;
  return shareID === undefined ? id : `${id}/${shareID}`;
}

function validateDuplicateDevice(devices: readonly Decoded<resourcev1.AllocatedDeviceStatus>[]): Errors {
  const repeated = repeatedIndexes(devices.map(deviceId));
  return collectErrors(devices, (_, index) =>
    repeated.has(index) ? [duplicateDeviceStatusError(`status.devices[${index}].deviceID`)] : none,
  );
}

/** Upstream shows the id as a struct with empty fields. */
const formattedDeviceId = '{"Driver":{},"Pool":{},"Device":{},"ShareID":{}}';

function duplicateDeviceStatusError(field: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${formattedDeviceId}` };
}

function unknownDeviceError(field: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${formattedDeviceId}: must be an allocated device in the claim` };
}

function validateDeviceStatus(device: Decoded<resourcev1.AllocatedDeviceStatus>, allocatedIds: ReadonlySet<string>, path: string): Errors {
  const network = device.networkData;
  const id = deviceId(device);
  const data = device.data;
  return [
    ...validateDeviceNames(device, path),
    ...validateShareId(device.shareID, `${path}.shareID`),
    ...(allocatedIds.has(id) ? none : [unknownDeviceError(path)]),
    ...validateLimitedConditions(maxConditions, device.conditions ?? [], `${path}.conditions`),
    ...(data === undefined ? none : validateRawObject(data, `${path}.data`, maxParameters)),
    ...(network ? validateNetworkData(network, `${path}.networkData`) : none),
  ];
}

function validateNetworkData(data: Decoded<resourcev1.NetworkDeviceData>, path: string): Errors {
  const limits = [
    ['interfaceName', maxInterfaceName],
    ['hardwareAddress', maxHardwareAddress],
  ] as const;
  return [
    ...limits.flatMap(([field, max]) => ((data[field] ?? '').length > max ? [tooLong(`${path}.${field}`, max)] : none)),
    ...validateSet(data.ips ?? [], { max: maxAddresses, check: validateInterfaceAddress, key: (ip) => ip }, `${path}.ips`),
  ];
}
