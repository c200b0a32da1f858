import { collectErrors, invalid, isDns1123Label, isDns1123Subdomain, type JsonObject, required, tooLong } from '../../../meta/index.ts';
import type { corev1, resourcev1 } from '../../api/index.ts';
import { booleanAt, int64At, recordAt } from '../accessors.ts';
import { type Errors, none, validateImmutable, validateNameWith } from '../checks.ts';
import { validateNodeSelector } from '../core/pods/scheduling.ts';
import { validateDriverName } from '../core/volumes/volume-sources.ts';
import type { Decoded } from '../decoded.ts';
import { type GoFields, toGoValue } from '../go-values.ts';
import { isSemanticVersion } from '../semantic-version.ts';
import { validateRequestPolicy } from './capacity.ts';
import {
  validateBindingConditions,
  validateMap,
  validatePoolName,
  validateQualifiedDeviceName,
  validateSet,
  validateSlice,
} from './names.ts';
import { validateDeviceTaint } from './taints.ts';

const maxDevices = 128;
const maxDetails = 32;
const maxCounters = 32;
const maxCountersOfDevices = 1024;
const maxTaints = 4;
const maxValue = 64;
/** Limits in errors for names of attributes (domain, slash, identifier) and of counters; bytes. */
const maxShownAttribute = 63 + 1 + 32;
const maxShownCounter = 63;
const unlimited = Number.POSITIVE_INFINITY;

/** The devices that a driver offers in one pool. Cf. upstream ValidateResourceSlice. */
export function validateResourceSlice(object: Decoded<resourcev1.ResourceSlice>): Errors {
  return validateSliceSpec(object.spec ?? {}, undefined);
}

export function validateResourceSliceUpdate(next: Decoded<resourcev1.ResourceSlice>, old: Decoded<resourcev1.ResourceSlice>): Errors {
  return validateSliceSpec(next.spec ?? {}, old.spec ?? {});
}

function validateSliceSpec(spec: Decoded<resourcev1.ResourceSliceSpec>, old: Decoded<resourcev1.ResourceSliceSpec> | undefined): Errors {
  const pool = spec.pool ?? {};
  return [
    ...validateDriverName(spec.driver ?? '', 'spec.driver'),
    ...validateResourcePool(pool, 'spec.pool'),
    ...(old
      ? [
          ...validateImmutable(pool.name, old?.pool?.name, 'spec.pool.name'),
          ...validateImmutable(spec.driver, old.driver, 'spec.driver'),
          ...validateImmutable(spec.nodeName, old.nodeName, 'spec.nodeName'),
        ]
      : none),
    ...validateNodeSelection(spec),
    ...validateDevices(spec),
    ...validateSharedCounters(spec),
  ];
}

function validateResourcePool(pool: Decoded<resourcev1.ResourcePool>, path: string): Errors {
  const [count, generation] = [int64At(pool, 'resourceSliceCount') ?? 0, int64At(pool, 'generation') ?? 0];
  return [
    ...validatePoolName(pool.name ?? '', `${path}.name`),
    ...(count <= 0 ? [invalid(`${path}.resourceSliceCount`, count, 'must be greater than zero')] : none),
    ...(generation < 0 ? [invalid(`${path}.generation`, generation, 'must be greater than or equal to zero')] : none),
  ];
}

function validateNodeSelection(spec: Decoded<resourcev1.ResourceSliceSpec>): Errors {
  const selector = spec.nodeSelector;
  const rule = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  const name = spec.nodeName;
  const given = [
    ...(name !== undefined && name !== '' ? ['`nodeName`'] : []),
    ...(selector ? ['`nodeSelector`'] : []),
    ...(['allNodes', 'perDeviceNodeSelection'] as const).filter((field) => spec[field] === true).map((field) => `\`${field}\``),
  ];
  return [
    ...validateNodeName(name, 'spec.nodeName', 'must be either unset or set to a non-empty string'),
    ...(selector ? validateSingleTerm(selector) : none),
    ...['allNodes', 'perDeviceNodeSelection'].flatMap((field) => validateUnsetOrTrue(spec, field, 'spec')),
    ...(given.length === 0 ? [required('spec', rule)] : none),
    ...(given.length > 1 ? [invalid('spec', `{${given.join(', ')}}`, `${rule}, but multiple fields are set`)] : none),
  ];
}

function validateNodeName(name: string | undefined, path: string, empty: string): Errors {
  if (name === undefined) return none;
  return name === '' ? [invalid(path, name, empty)] : validateNameWith(isDns1123Subdomain, name, path);
}

function validateUnsetOrTrue(object: JsonObject, field: string, path: string): Errors {
  return booleanAt(object, field) === false ? [invalid(`${path}.${field}`, false, 'must be either unset or set to true')] : none;
}

/** A single term, so that the selectors of several slices can be combined. */
function validateSingleTerm(selector: Decoded<corev1.NodeSelector>): Errors {
  const terms = selector.nodeSelectorTerms ?? [];
  const path = 'spec.nodeSelector.nodeSelectorTerms';
  const shown = terms.length === 0 ? selector['nodeSelectorTerms'] : terms.map((term) => toGoValue(term, goTerm));
  return [
    ...validateNodeSelector(selector, 'spec.nodeSelector'),
    ...(terms.length === 1 ? none : [invalid(path, shown, 'must have exactly one node selector term')]),
  ];
}

const goTerm: GoFields = { matchExpressions: null, matchFields: null };

/** Counter sets → names of their counters. */
type Counters = ReadonlyMap<string, JsonObject>;

function validateDevices(spec: Decoded<resourcev1.ResourceSliceSpec>): Errors {
  const list = spec.devices ?? [];
  const counters: Counters = new Map((spec.sharedCounters ?? []).map((one) => [one.name ?? '', one.counters ?? {}]));
  const isPerDevice = spec.perDeviceNodeSelection === true;
  const count = list.reduce((sum, one) => sum + countersOf(one.consumesCounters ?? []), 0);
  const check = (one: JsonObject, path: string): Errors => validateDevice(one, counters, isPerDevice, path);
  return [
    ...validateSet(list, { max: maxDevices, check, key: (one) => one.name ?? '', member: 'name' }, 'spec.devices'),
    ...(count > maxCountersOfDevices
      ? [invalid('spec.devices', count, `the total number of counters in devices must not exceed ${maxCountersOfDevices}`)]
      : none),
  ];
}

function countersOf(sets: readonly Decoded<resourcev1.CounterSet>[]): number {
  return sets.reduce((sum, one) => sum + Object.keys(one.counters ?? {}).length, 0);
}

function validateSharedCounters(spec: Decoded<resourcev1.ResourceSliceSpec>): Errors {
  const sets = spec.sharedCounters ?? [];
  const count = countersOf(sets);
  const path = 'spec.sharedCounters';
  return [
    ...(count > maxCounters ? [invalid(path, count, `the total number of shared counters must not exceed ${maxCounters}`)] : none),
    ...validateSet(sets, { max: unlimited, check: validateCounterSet, key: (one) => one.name ?? '', member: 'name' }, path),
  ];
}

function validateCounterSet(object: Decoded<resourcev1.CounterSet>, path: string): Errors {
  const name = object.name ?? '';
  return [
    ...(name === '' ? [required(`${path}.name`, '')] : validateNameWith(isDns1123Label, name, `${path}.name`)),
    ...validateCounterNames(object, path),
  ];
}

function validateCounterNames(object: JsonObject, path: string): Errors {
  const counters = recordAt(object, 'counters');
  if (Object.keys(counters).length === 0) return [required(`${path}.counters`, '')];
  return validateMap(counters, maxShownCounter, (name, _, at) => validateNameWith(isDns1123Label, name, at), `${path}.counters`);
}

function validateDevice(object: Decoded<resourcev1.Device>, counters: Counters, isPerDevice: boolean, path: string): Errors {
  const [attributes, capacity] = [object.attributes ?? {}, object.capacity ?? {}];
  const details = Object.keys(attributes).length + Object.keys(capacity).length;
  const mayShare = object.allowMultipleAllocations === true;
  return [
    ...validateNameWith(isDns1123Label, object.name ?? '', `${path}.name`),
    ...(details > maxDetails
      ? [invalid(path, details, `the total number of attributes and capacities must not exceed ${maxDetails}`)]
      : none),
    ...validateMap(
      attributes,
      maxShownAttribute,
      (name, one, at) => [...validateQualifiedDeviceName(name, at), ...validateAttribute(one, at)],
      `${path}.attributes`,
    ),
    ...validateMap(
      capacity,
      maxShownAttribute,
      (name, one, at) => [...validateQualifiedDeviceName(name, at), ...validateRequestPolicy(one, mayShare, at)],
      `${path}.capacity`,
    ),
    ...validateSlice(object.taints ?? [], maxTaints, validateDeviceTaint, `${path}.taints`),
    ...validateConsumedCounters(object, counters, path),
    ...validateDeviceNodes(object, isPerDevice, path),
    ...validateBindingConditions(object, path),
  ];
}

const goAttribute: GoFields = { intValue: null, boolValue: null, stringValue: null, versionValue: null };
function validateAttribute(object: Decoded<resourcev1.DeviceAttribute>, path: string): Errors {
  const [text, version] = [object.string ?? '', object.version];
  const given = (['bool', 'int', 'string', 'version'] as const).filter((field) => object[field] !== undefined);
  const rule = 'exactly one value must be specified';
  const { int: intValue, bool: boolValue, string: stringValue, version: versionValue } = object;
  const shown = Object.entries({ intValue, boolValue, stringValue, versionValue }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return [
    ...(text.length > maxValue ? [tooLong(`${path}.string`, maxValue)] : none),
    ...(version !== undefined && !isSemanticVersion(version)
      ? [invalid(`${path}.version`, version, 'must be a string compatible with semver.org spec 2.0.0')]
      : none),
    ...((version ?? '').length > maxValue ? [tooLong(`${path}.version`, maxValue)] : none),
    ...(given.length === 0 ? [required(path, rule)] : none),
    ...(given.length > 1 ? [invalid(path, toGoValue(Object.fromEntries(shown), goAttribute), rule)] : none),
  ];
}

function validateConsumedCounters(object: Decoded<resourcev1.Device>, counters: Counters, path: string): Errors {
  const sets = object.consumesCounters ?? [];
  const at = `${path}.consumesCounters`;
  const check = (one: Decoded<resourcev1.DeviceCounterConsumption>, where: string): Errors => [
    ...((one.counterSet ?? '') === '' ? [required(`${where}.counterSet`, '')] : none),
    ...validateCounterNames(one, where),
  ];
  const count = countersOf(sets);
  return [
    ...validateSet(sets, { max: unlimited, check, key: (one) => one.counterSet ?? '', member: 'counterSet' }, at),
    ...(count > maxCounters ? [invalid(path, count, `the total number of counters must not exceed ${maxCounters}`)] : none),
    ...collectErrors(sets, (one, index) => validateKnownCounters(one, counters, `${at}[${index}]`)),
  ];
}

function validateKnownCounters(one: Decoded<resourcev1.DeviceCounterConsumption>, counters: Counters, path: string): Errors {
  const { counterSet: name = '' } = one;
  const known = counters.get(name);
  if (!known) return [invalid(`${path}.counterSet`, name, 'must reference a counterSet defined in the ResourceSlice sharedCounters')];
  return Object.keys(one.counters ?? {})
    .filter((counter) => !Object.hasOwn(known, counter))
    .map((counter) => invalid(`${path}.counters`, counter, 'must reference a counter defined in the ResourceSlice sharedCounters'));
}

function validateDeviceNodes(object: Decoded<resourcev1.Device>, isPerDevice: boolean, path: string): Errors {
  const [name, selector] = [object.nodeName, object.nodeSelector];
  if (!isPerDevice) {
    const why =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return name === undefined && !selector && object.allNodes === undefined ? none : [invalid(path, null, why)];
  }
  const rule =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  const given = [
    ...(name !== undefined && name !== '' ? ['`nodeName`'] : []),
    ...(selector ? ['`nodeSelector`'] : []),
    ...(object.allNodes === true ? ['`allNodes`'] : []),
  ];
  return [
    ...validateNodeName(name, `${path}.nodeName`, 'must not be empty'),
    ...(selector ? validateNodeSelector(selector, `${path}.nodeSelector`) : none),
    ...validateUnsetOrTrue(object, 'allNodes', path),
    ...(given.length === 0 ? [required(path, rule)] : none),
    ...(given.length > 1 ? [invalid(path, `{${given.join(', ')}}`, rule)] : none),
  ];
}
