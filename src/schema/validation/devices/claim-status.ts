import {
  type FieldError,
  forbiddenField,
  invalid,
  isDns1123Label,
  type JsonObject,
  tooLong,
  validateInterfaceAddress,
} from '../../../meta/index.ts';
import { isSame, objectsAt, optionalRecordAt, optionalTextAt, recordAt, textAt, textsAt } from '../accessors.ts';
import { type Errors, immutable, nameErrors, none, requiredOneOf, requiredText } from '../checks.ts';
import { limitedConditions } from '../conditions.ts';
import { nodeSelector } from '../core/scheduling.ts';
import { driverName } from '../core/volume-sources.ts';
import { deviceConfiguration, maxParameters, rawObject } from './configuration.ts';
import { bindingConditions, poolName, requestReference, requestReferences, validateSet, validateSlice } from './names.ts';

const maxConsumers = 256;
const maxResults = 32;
/** Limit for the configurations of the claim and its class together. */
const maxConfigurations = 64;
const maxConditions = 8;
const maxInterfaceName = 256;
const maxHardwareAddress = 128;
const maxAddresses = 16;

/** Allocation, reservations and device status of a claim. Cf. upstream ValidateResourceClaimStatusUpdate. */
export function claimStatus(next: JsonObject, old: JsonObject, requests: ReadonlySet<string>): Errors {
  const [status, before] = [recordAt(next, 'status'), recordAt(old, 'status')];
  const allocation = optionalRecordAt(status, 'allocation');
  const allocated = new Set(objectsAt(recordAt(allocation, 'devices'), 'results').map(deviceId));
  const isDeleted = recordAt(next, 'metadata')['deletionTimestamp'] !== undefined;
  return [
    ...validateSet(
      objectsAt(status, 'reservedFor'),
      { max: maxConsumers, check: consumer, key: (one) => textAt(one, 'uid'), member: 'uid' },
      'status.reservedFor',
    ),
    ...objectsAt(status, 'devices').flatMap((one, index) => deviceStatus(one, allocated, `status.devices[${index}]`)),
    ...duplicateDevice(objectsAt(status, 'devices')),
    ...reservation(status, before, isDeleted),
    ...(allocation ? allocationOf(allocation, optionalRecordAt(before, 'allocation'), requests) : none),
  ];
}

function allocationOf(allocation: JsonObject, before: JsonObject | undefined, requests: ReadonlySet<string>): Errors {
  const path = 'status.allocation';
  if (before) return immutable(allocation, before, path);
  const devices = recordAt(allocation, 'devices');
  const selector = optionalRecordAt(allocation, 'nodeSelector');
  return [
    ...validateSlice(
      objectsAt(devices, 'results'),
      maxResults,
      (one, at) => allocatedDevices(one, requests, at),
      `${path}.devices.results`,
    ),
    ...validateSlice(
      objectsAt(devices, 'config'),
      maxConfigurations,
      (one, at) => [
        ...requiredOneOf(textAt(one, 'source'), ['FromClaim', 'FromClass'], `${at}.source`),
        ...requestReferences(one, requests, at),
        ...deviceConfiguration(one, at),
      ],
      `${path}.devices.config`,
    ),
    ...(selector ? nodeSelector(selector, `${path}.nodeSelector`) : none),
  ];
}

function allocatedDevices(result: JsonObject, requests: ReadonlySet<string>, path: string): Errors {
  return [
    ...requestReference(textAt(result, 'request'), requests, `${path}.request`),
    ...deviceNames(result, path),
    ...bindingConditions(result, path),
    ...shareId(optionalTextAt(result, 'shareID'), `${path}.shareID`),
  ];
}

function deviceNames(object: JsonObject, path: string): Errors {
  return [
    ...driverName(textAt(object, 'driver'), `${path}.driver`),
    ...poolName(textAt(object, 'pool'), `${path}.pool`),
    ...nameErrors(isDns1123Label, textAt(object, 'device'), `${path}.device`),
  ];
}

function shareId(id: string | undefined, path: string): Errors {
  if (id === undefined) return none;
  const hex = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
  const lengths = [32, 36, 38, 45];
  if (!lengths.includes(id.length)) return [invalid(path, id, `error validating uid: invalid UUID length: ${id.length}`)];
  if (!hex.test(id)) return [invalid(path, id, 'error validating uid: invalid UUID format')];
  const normalized =
    'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';
  return id === id.toLowerCase() ? none : [invalid(path, id, normalized)];
}

function reservation(status: JsonObject, before: JsonObject, isDeleted: boolean): Errors {
  const consumers = objectsAt(status, 'reservedFor');
  if (consumers.length === 0) return none;
  if (!optionalRecordAt(status, 'allocation'))
    return [forbiddenField('status.reservedFor', 'may not be specified when `allocated` is not set')];
  const known = objectsAt(before, 'reservedFor');
  if (!isDeleted || consumers.every((one) => known.some((other) => isSame(one, other)))) return none;
  return [
    forbiddenField('status.reservedFor', 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set'),
  ];
}

function consumer(reference: JsonObject, path: string): Errors {
  return ['resource', 'name', 'uid'].flatMap((field) => requiredText(reference, field, path));
}

/** `driver/pool/device`, followed by the share id of a shared device. */
function deviceId(device: JsonObject): string {
  const share = optionalTextAt(device, 'shareID');
  const id = ['driver', 'pool', 'device'].map((part) => textAt(device, part)).join('/');
  return share === undefined ? id : `${id}/${share}`;
}

function duplicateDevice(devices: readonly JsonObject[]): Errors {
  const ids = devices.map(deviceId);
  return ids.flatMap((id, index) => (ids.indexOf(id) < index ? [duplicateDeviceStatus(`status.devices[${index}].deviceID`)] : none));
}

/** Upstream shows the id as a struct with empty fields. */
const formattedDeviceId = '{"Driver":{},"Pool":{},"Device":{},"ShareID":{}}';

function duplicateDeviceStatus(field: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${formattedDeviceId}` };
}

function unknownDevice(field: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: `Invalid value: ${formattedDeviceId}: must be an allocated device in the claim` };
}

function deviceStatus(device: JsonObject, allocatedIds: ReadonlySet<string>, path: string): Errors {
  const network = optionalRecordAt(device, 'networkData');
  const id = deviceId(device);
  const data = device['data'];
  return [
    ...deviceNames(device, path),
    ...shareId(optionalTextAt(device, 'shareID'), `${path}.shareID`),
    ...(allocatedIds.has(id) ? none : [unknownDevice(path)]),
    ...limitedConditions(maxConditions, objectsAt(device, 'conditions'), `${path}.conditions`),
    ...(data === undefined ? none : rawObject(data, `${path}.data`, maxParameters)),
    ...(network ? networkData(network, `${path}.networkData`) : none),
  ];
}

function networkData(data: JsonObject, path: string): Errors {
  const limits = [
    ['interfaceName', maxInterfaceName],
    ['hardwareAddress', maxHardwareAddress],
  ] as const;
  return [
    ...limits.flatMap(([field, max]) => (textAt(data, field).length > max ? [tooLong(`${path}.${field}`, max)] : none)),
    ...validateSet(textsAt(data, 'ips'), { max: maxAddresses, check: validateInterfaceAddress, key: (ip) => ip }, `${path}.ips`),
  ];
}
