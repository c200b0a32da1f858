import {
  duplicate,
  forbiddenField,
  invalid,
  isLabelValue,
  isQualifiedName,
  type JsonObject,
  parseCidr,
  validateLegacyCidr,
} from '../../../meta/index.ts';
import { isSame, objectsAt, recordAt, textAt, textsAt } from '../accessors.ts';
import { type Errors, nameErrors, none, requiredOneOf } from '../checks.ts';
import { goTaint, toGoValue } from '../go-values.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { metadataUpdate, validateAllFirstOnUpdate } from '../update-validators.ts';
import { resourceAmount } from './resource-names.ts';

export function nodeValidators(context: ValidationContext): KindValidators {
  const validate = (node: JsonObject): Errors => [...taints(node), ...nodeResources(node, context), ...podRanges(node, context)];
  const changes = (next: JsonObject, old: JsonObject): Errors => nodeUpdate(next, old, context);
  return {
    'core.Node': {
      ...validateAllFirstOnUpdate({ type: 'core.Node', namespaced: false }, validate, changes),
      updateStatus: (next, old) => [...metadataUpdate(next, old), ...changes(next, old)],
    },
  };
}

function nodeUpdate(next: JsonObject, old: JsonObject, context: ValidationContext): Errors {
  const [spec, before] = [recordAt(next, 'spec'), recordAt(old, 'spec')];
  const fixed = (field: string, shown: string, name: string): Errors =>
    isSame(before[field] ?? null, null) || before[field] === '' || isSame(spec[field], before[field])
      ? none
      : [forbiddenField(`spec.${shown}`, `node updates may not change ${name} except from "" to valid`)];
  return [
    ...nodeResources(next, context),
    ...unchangedAddresses(objectsAt(recordAt(next, 'status'), 'addresses'), context),
    ...fixed('podCIDRs', 'podCIDRs', 'podCIDR'),
    ...fixed('providerID', 'providerID', 'providerID'),
    ...taints(next),
    ...(textAt(spec, 'externalID') === textAt(before, 'externalID') ? none : [forbiddenField('spec.externalID', 'may not be updated')]),
  ];
}

function unchangedAddresses(addresses: readonly JsonObject[], { internal }: ValidationContext): Errors {
  return addresses.flatMap((address, index) =>
    addresses.slice(0, index).some((other) => isSame(other, address))
      ? [duplicate(`status.addresses[${index}]`, internal.value(address, 'core/v1.NodeAddress'))]
      : none,
  );
}

/** Upstream reports them under metadata. */
function taints(node: JsonObject): Errors {
  const seen = new Set<string>();
  return objectsAt(recordAt(node, 'spec'), 'taints').flatMap((taint, index) => {
    const path = `metadata.taints[${index}]`;
    const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')];
    const wrong = isLabelValue(value);
    const errors = [
      ...nameErrors(isQualifiedName, key, `${path}.key`),
      ...(wrong.length > 0 ? [invalid(`${path}.value`, value, wrong.join(';'))] : none),
      ...requiredOneOf(effect, ['NoSchedule', 'PreferNoSchedule', 'NoExecute'], `${path}.effect`),
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

function nodeResources(node: JsonObject, context: ValidationContext): Errors {
  const status = recordAt(node, 'status');
  return ['capacity', 'allocatable'].flatMap((part) =>
    Object.entries(recordAt(status, part)).flatMap(([name, amount]) =>
      resourceAmount(name, String(amount), `status.${part}.${name}`, context),
    ),
  );
}

function podRanges(node: JsonObject, { gates }: ValidationContext): Errors {
  const path = 'spec.podCIDRs';
  const ranges = textsAt(recordAt(node, 'spec'), 'podCIDRs');
  const errors = ranges.flatMap((range, index) => validateLegacyCidr(`${path}[${index}]`, range, gates));
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
