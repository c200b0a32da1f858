import {
  collectErrors,
  duplicate,
  forbiddenField,
  invalid,
  isJsonObject,
  isLabelValue,
  isQualifiedName,
  type Json,
  type JsonObject,
  JsonSyntaxError,
  jsonKind,
  parseCidr,
  parseJson,
  repeatedIndexes,
  required,
  validateLegacyCidr,
} from '../../../meta/index.ts';
import type { corev1 } from '../../api/index.ts';
import { isSemanticallyEqual, recordAt, semanticKey } from '../accessors.ts';
import { type Errors, none, validateNameWith, validateRequiredOneOf } from '../checks.ts';
import type { Decoded } from '../decoded.ts';
import { goTaint, toGoValue } from '../go-values.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllFirstOnUpdate, validateObjectMetaUpdate } from '../update-validators.ts';
import { validateResourceAmount } from './quotas/resource-names.ts';

export function nodeValidators(context: ValidationContext): KindValidators {
  const validate = (node: JsonObject): Errors => [
    ...validateAvoidedPods(node, context),
    ...validateTaints(node),
    ...validateNodeResources(node, context),
    ...validateSwap(node),
    ...validatePodRanges(node, context),
  ];
  const changes = (next: JsonObject, old: JsonObject): Errors => validateNodeUpdate(next, old, context);
  return {
    'core.Node': {
      ...validateAllFirstOnUpdate({ type: 'core.Node', namespaced: false }, validate, changes),
      updateStatus: (next, old) => [...validateObjectMetaUpdate(next, old), ...changes(next, old)],
    },
  };
}

function validateNodeUpdate(next: Decoded<corev1.Node>, old: Decoded<corev1.Node>, context: ValidationContext): Errors {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  const fixed = (field: 'podCIDRs' | 'providerID', shown: string, name: string): Errors =>
    isSemanticallyEqual(before[field] ?? null, null) || before[field] === '' || isSemanticallyEqual(spec[field], before[field])
      ? none
      : [forbiddenField(`spec.${shown}`, `node updates may not change ${name} except from "" to valid`)];
  return [
    ...validateNodeResources(next, context),
    ...validateUnchangedAddresses(next.status?.addresses ?? [], context),
    ...fixed('podCIDRs', 'podCIDRs', 'podCIDR'),
    ...fixed('providerID', 'providerID', 'providerID'),
    ...validateTaints(next),
    ...((spec.externalID ?? '') === (before.externalID ?? '') ? none : [forbiddenField('spec.externalID', 'may not be updated')]),
  ];
}

function validateUnchangedAddresses(addresses: readonly Decoded<corev1.NodeAddress>[], { internal }: ValidationContext): Errors {
  const repeated = repeatedIndexes(addresses.map(semanticKey));
  return collectErrors(addresses, (address, index) =>
    repeated.has(index) ? [duplicate(`status.addresses[${index}]`, internal.value(address, 'core/v1.NodeAddress'))] : none,
  );
}

/** An annotation that no scheduler reads any more, but that is still validated. Cf. upstream ValidateAvoidPodsInNodeAnnotations. */
function validateAvoidedPods(node: Decoded<corev1.Node>, { rename }: ValidationContext): Errors {
  const name = rename('scheduler.alpha.kubernetes.io/preferAvoidPods');
  const text = node.metadata?.annotations?.[name] ?? '';
  if (text === '') return none;
  const entries = readAvoidedPods(text);
  if (typeof entries === 'string') return [invalid('metadata.annotations.AvoidPods', name, entries)];
  return collectErrors(entries, (entry, index) => {
    const path = `metadata.annotations.${name}[${index}].PodSignature`;
    const controller = recordAt(entry, 'podSignature')['podController'];
    if (!isJsonObject(controller)) return [required(path, '')];
    return controller['controller'] === false ? [invalid(`${path}.PodController.Controller`, false, 'must point to a controller')] : none;
  });
}

/** Returns the error of Go's decoder for a text that is not of type AvoidPods. */
function readAvoidedPods(text: string): readonly JsonObject[] | string {
  const mismatch = (value: Json, type: string): string => `json: cannot unmarshal ${jsonKind(value)} into Go ${type}`;
  let value: Json;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
  if (!isJsonObject(value)) return value === null ? [] : mismatch(value, 'value of type v1.AvoidPods');
  const field = 'struct field AvoidPods.preferAvoidPods of type';
  const entries = value['preferAvoidPods'] ?? [];
  if (!Array.isArray(entries)) return mismatch(entries, `${field} []v1.PreferAvoidPodsEntry`);
  const other = entries.find((entry) => !isJsonObject(entry));
  return other === undefined ? entries.filter(isJsonObject) : mismatch(other, `${field} v1.PreferAvoidPodsEntry`);
}

/** Upstream reports them under metadata. */
function validateTaints(node: Decoded<corev1.Node>): Errors {
  const seen = new Set<string>();
  return collectErrors(node.spec?.taints ?? [], (taint, index) => {
    const path = `metadata.taints[${index}]`;
    const [key, value, effect] = [taint.key ?? '', taint.value ?? '', taint.effect ?? ''];
    const wrong = isLabelValue(value);
    const errors = [
      ...validateNameWith(isQualifiedName, key, `${path}.key`),
      ...(wrong.length > 0 ? [invalid(`${path}.value`, value, wrong.join(';'))] : none),
      ...validateRequiredOneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${path}.effect`),
    ];
    const id = `${effect}/${key}`;
    if (seen.has(id)) {
      const twice = duplicate(path, toGoValue(taint, goTaint));
      errors.push({ ...twice, message: `${twice.message}: taints must be unique by key and effect pair` });
    }
    seen.add(id);
    return errors;
  });
}

function validateNodeResources(node: Decoded<corev1.Node>, context: ValidationContext): Errors {
  const status = node.status ?? {};
  return ['capacity', 'allocatable'].flatMap((part) =>
    collectErrors(Object.entries(recordAt(status, part)), ([name, amount]) =>
      validateResourceAmount(name, String(amount), `status.${part}.${name}`, context),
    ),
  );
}

function validateSwap(node: Decoded<corev1.Node>): Errors {
  const capacity = node.status?.nodeInfo?.swap?.capacity;
  if (capacity === undefined || BigInt(capacity) > 0n) return none;
  // Upstream's path is that of the metadata.
  return [invalid('metadata.nodeSwapStatus.capacity', capacity, 'must be greater than zero')];
}

function validatePodRanges(node: Decoded<corev1.Node>, { gates }: ValidationContext): Errors {
  const path = 'spec.podCIDRs';
  const ranges = node.spec?.podCIDRs ?? [];
  const errors = collectErrors(ranges, (range, index) => validateLegacyCidr(`${path}[${index}]`, range, gates));
  if (ranges.length < 2) return errors;
  const unread = ranges.findIndex((range) => parseCidr(range) === undefined);
  if (unread >= 0) {
    const why = `invalid CIDR[${unread}]: <nil> (invalid CIDR address: ${ranges[unread]})`;
    const text = `Internal error: invalid PodCIDRs. failed to check with dual stack with error:${why}`;
    errors.push({ reason: 'InternalError', field: path, message: text });
  }
  const families = new Set(ranges.map((range) => parseCidr(range)?.address.family));
  if (ranges.length === 2 && families.size === 2 && unread < 0) return errors;
  return [...errors, invalid(path, ranges, 'may specify no more than one CIDR for each IP family')];
}
