import {
  duplicate,
  type FeatureGates,
  type FieldError,
  invalid,
  notSupported,
  parseIp,
  repeatedIndexes,
  required,
  validateLegacyIp,
} from '../../meta/index.ts';
import { isHeadless, noAddress, type ServiceSpec } from './service-spec.ts';

const families = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/**
 * Validates a Service's addresses before any is allocated, so that the allocator gets consistent input. Cf. upstream
 * ValidateServiceClusterIPsRelatedFields.
 */
export function addressErrors(spec: ServiceSpec, old: ServiceSpec, gates: FeatureGates): readonly FieldError[] {
  const errors = [...clusterIpErrors(spec), ...familyErrors(spec)];
  const addresses = spec.clusterIPs ?? [];
  const before = old.clusterIPs ?? [];
  const wrong = addresses.flatMap((address, index): readonly FieldError[] => {
    if (index === 0 && address === noAddress)
      return addresses.length > 1 ? [invalid('spec.clusterIPs', addresses, "'None' must be the first and only value")] : [];
    return validateLegacyIp(`spec.clusterIPs[${index}]`, address, gates, before);
  });
  errors.push(...wrong);
  if (addresses.length > 2) errors.push(invalid('spec.clusterIPs', addresses, 'may only hold up to 2 values'));
  return wrong.length > 0 ? errors : [...errors, ...stackErrors(spec, addresses)];
}

/** `clusterIP` must be the first of `clusterIPs`. */
function clusterIpErrors(spec: ServiceSpec): FieldError[] {
  const first = spec.clusterIP ?? '';
  const addresses = spec.clusterIPs ?? [];
  if (first === '')
    return addresses.length > 0 ? [invalid('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified')] : [];
  if (addresses.length === 0) return [required('spec.clusterIPs', '')];
  return addresses[0] === first ? [] : [invalid('spec.clusterIPs', addresses, 'first value must match `clusterIP`')];
}

function familyErrors(spec: ServiceSpec): readonly FieldError[] {
  const requested = spec.ipFamilies ?? [];
  const repeated = repeatedIndexes(requested);
  const errors = requested.flatMap((family, index) => [
    ...(families.includes(family) ? [] : [notSupported(`spec.ipFamilies[${index}]`, family, families)]),
    ...(repeated.has(index) ? [duplicate(`spec.ipFamilies[${index}]`, family)] : []),
  ]);
  const policy = spec.ipFamilyPolicy;
  if (typeof policy === 'string' && !policies.includes(policy)) errors.push(notSupported('spec.ipFamilyPolicy', policy, policies));
  return errors;
}

function stackErrors(spec: ServiceSpec, addresses: readonly string[]): readonly FieldError[] {
  const kinds = addresses.map((address) => parseIp(address)?.family);
  const errors: FieldError[] = [];
  if (addresses.length > 1 && new Set(kinds).size < 2)
    errors.push(invalid('spec.clusterIPs', addresses, 'may specify no more than one IP for each IP family'));
  if (isHeadless(spec)) return errors;
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    const kind = kinds[index];
    if (kind === undefined || kind === family || !families.includes(family)) continue;
    const expected = `expected an ${family} value as indicated by \`ipFamilies[${index}]\``;
    errors.push(invalid(`spec.clusterIPs[${index}]`, addresses[index], expected));
  }
  return errors;
}
