import { type FeatureGates, type FieldError, invalid, parseIp } from '../../meta/index.ts';
import { withMembers } from '../strategies/kind-row.ts';
import { addressErrors } from './address-rules.ts';
import { isHeadless, needsClusterIp, noAddress, type ServiceSpec } from './service-spec.ts';

export type FamiliesResult = { readonly spec: ServiceSpec } | { readonly errors: readonly FieldError[] };

export interface FamilyRules {
  /** The families of the cluster; the first one is the default. */
  readonly configured: readonly string[];
  readonly gates: FeatureGates;
}

/**
 * Sets the IP families of a Service and their policy from the requested ones and from its addresses. Cf. upstream
 * initIPFamilyFields. `old` is the stored spec, undefined for a new Service.
 */
export function withIpFamilies(spec: ServiceSpec, old: ServiceSpec | undefined, { configured, gates }: FamilyRules): FamiliesResult {
  if ((spec.type ?? '') === 'ExternalName' || (old && isUnchangedDualStack(spec, old))) return { spec };
  const chosen = withMembers(spec, { ipFamilyPolicy: familyPolicyOf(spec, old) });
  const policy = chosen.ipFamilyPolicy ?? '';
  const wrong = addressErrors(chosen, old ?? {}, gates);
  if (wrong.length > 0) return { errors: wrong };
  const trimmed = old && policy === 'SingleStack' ? withoutSecondary(chosen, old) : chosen;
  const inferred = inferFamilies(trimmed, configured);
  const errors = [
    ...(old && policy !== 'SingleStack' ? reductionErrors(trimmed, old) : []),
    ...singleStackErrors(trimmed, policy),
    ...inferred.errors,
  ];
  if (errors.length > 0) return { errors };
  const next = withMembers(trimmed, { ipFamilies: inferred.families.length > 0 ? inferred.families : undefined });
  if (isHeadless(next) && hasNoSelector(next)) return { spec: headlessWithoutSelector(next, policy, configured) };
  return withConfiguredFamilies(next, policy, configured);
}

/** An update that does not set the policy retains it; the default of a new Service depends on whether it has a selector. */
function familyPolicyOf(spec: ServiceSpec, old: ServiceSpec | undefined): string {
  const requested = spec.ipFamilyPolicy;
  if (typeof requested === 'string') return requested;
  const known = old?.ipFamilyPolicy ?? '';
  if (known !== '') return known;
  return (spec.clusterIP ?? '') === noAddress && hasNoSelector(spec) ? 'RequireDualStack' : 'SingleStack';
}

function hasNoSelector(spec: ServiceSpec): boolean {
  return Object.keys(spec.selector ?? {}).length === 0;
}

/** An update that changes no IP field of a dual-stack Service. Cf. upstream isMatchingPreferDualStackClusterIPFields. */
function isUnchangedDualStack(spec: ServiceSpec, old: ServiceSpec): boolean {
  if (spec.type !== old.type || !needsClusterIp(spec)) return false;
  if (spec.ipFamilyPolicy !== 'PreferDualStack' || old.ipFamilyPolicy !== 'PreferDualStack') return false;
  return sameTexts(spec, old, 'clusterIPs') && sameTexts(spec, old, 'ipFamilies');
}

function sameTexts(a: ServiceSpec, b: ServiceSpec, name: 'clusterIPs' | 'ipFamilies'): boolean {
  const [left, right] = [a[name] ?? [], b[name] ?? []];
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

/** An update of only the policy to SingleStack: unchanged fields lose their secondary value. */
function withoutSecondary(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const first = (name: 'clusterIPs' | 'ipFamilies'): readonly string[] | undefined =>
    sameTexts(spec, old, name) && (spec[name] ?? []).length > 1 ? spec[name]?.slice(0, 1) : undefined;
  const [clusterIPs, ipFamilies] = [first('clusterIPs'), first('ipFamilies')];
  return withMembers(spec, { ...(clusterIPs ? { clusterIPs } : {}), ...(ipFamilies ? { ipFamilies } : {}) });
}

function reductionErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const reduced = (name: 'clusterIPs' | 'ipFamilies'): boolean => {
    const [next, before] = [spec[name] ?? [], old[name] ?? []];
    return next.length > 0 && next.length < before.length;
  };
  const refuse = (what: string): FieldError =>
    invalid('spec.ipFamilyPolicy', spec.ipFamilyPolicy, `must be 'SingleStack' to release the secondary ${what}`);
  return [...(reduced('clusterIPs') ? [refuse('cluster IP')] : []), ...(reduced('ipFamilies') ? [refuse('IP family')] : [])];
}

function singleStackErrors(spec: ServiceSpec, policy: string): FieldError[] {
  if (policy !== 'SingleStack') return [];
  const refuse = (what: string): FieldError =>
    invalid(
      'spec.ipFamilyPolicy',
      spec.ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`,
    );
  return [
    ...((spec.clusterIPs ?? []).length === 2 ? [refuse('cluster IPs')] : []),
    ...((spec.ipFamilies ?? []).length === 2 ? [refuse('IP families')] : []),
  ];
}

function inferFamilies(
  spec: ServiceSpec,
  configured: readonly string[],
): { readonly families: readonly string[]; readonly errors: readonly FieldError[] } {
  const families = [...(spec.ipFamilies ?? [])];
  const errors: FieldError[] = [];
  const addresses = spec.clusterIPs ?? [];
  for (const [index, address] of addresses.entries()) {
    if (address === noAddress) break;
    const family = parseIp(address)?.family;
    if (family === undefined || index < families.length) continue;
    if (configured.includes(family)) families.push(family);
    else errors.push(invalid(`spec.clusterIPs[${index}]`, addresses, `${family} is not configured on this cluster`));
  }
  return { families, errors };
}

/** Its endpoints are managed externally, so both families are possible whatever the cluster has. */
function headlessWithoutSelector(spec: ServiceSpec, policy: string, [defaultFamily = '']: readonly string[]): ServiceSpec {
  const families = (spec.ipFamilies ?? []).length > 0 ? (spec.ipFamilies ?? []) : [defaultFamily];
  return withMembers(spec, { ipFamilies: policy === 'SingleStack' ? families : dualStackFamilies(families) });
}

function dualStackFamilies(families: readonly string[]): readonly string[] {
  return families.length === 1 ? [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : families;
}

function withConfiguredFamilies(spec: ServiceSpec, policy: string, configured: readonly string[]): FamiliesResult {
  const families = spec.ipFamilies ?? [];
  const errors: FieldError[] = [];
  if (policy === 'RequireDualStack' && configured.length < 2)
    errors.push(invalid('spec.ipFamilyPolicy', policy, 'this cluster is not configured for dual-stack services'));
  for (const [index, family] of families.entries()) {
    if (!configured.includes(family)) errors.push(invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster'));
  }
  if (errors.length > 0) return { errors };
  const chosen = families.length > 0 ? families : configured.slice(0, 1);
  return {
    spec: withMembers(spec, { ipFamilies: policy !== 'SingleStack' && configured.length === 2 ? dualStackFamilies(chosen) : chosen }),
  };
}
