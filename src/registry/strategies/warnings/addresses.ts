import { type Cidr, formatIp, type JsonObject, parseCidr, parseIp } from '../../../meta/index.ts';
import type { corev1, discoveryv1, networkingv1 } from '../../../schema/api/index.ts';
import type { Decoded } from '../../../schema/index.ts';
import type { StrategyContext } from '../../strategy.ts';

/** Prefix length of IPv4-mapped IPv6 addresses, in bits. */
const mappedPrefix = 96;

/** Warns of an address that is not in canonical form. Cf. upstream GetWarningsForIP. */
export function addressWarnings(path: string, text: string): readonly string[] {
  const address = parseIp(text);
  if (!address) return [];
  const usual = formatIp(address);
  if (address.leadingZeros || address.mapped) return [nonStandard(path, 'IP address', text, usual)];
  if (address.family === 'IPv6' && usual !== text) {
    return [`${path}: IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(usual)})`];
  }
  return [];
}

/** Cf. upstream GetWarningsForCIDR. */
export function cidrWarnings(path: string, text: string): readonly string[] {
  const cidr = parseCidr(text);
  if (!cidr) return [];
  const { address, prefixLength } = cidr;
  const network = networkOf(cidr);
  const single = `${formatIp(address)}/${address.mapped ? 128 : address.bytes.length * 8}`;
  const warnings: string[] = [];
  if (cidr.excess) {
    warnings.push(
      `${path}: CIDR value ${JSON.stringify(text)} is ambiguous in this context (should be ${JSON.stringify(network)} or ${JSON.stringify(single)}?)`,
    );
  }
  const usual = `${formatIp(address)}/${prefixLength}`;
  if (cidr.leadingZeros || address.mapped) warnings.push(nonStandard(path, 'CIDR value', text, network));
  else if (warnings.length === 0 && address.family === 'IPv6' && usual !== text) {
    warnings.push(`${path}: IPv6 CIDR value ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(usual)})`);
  }
  return warnings;
}

/** An IPv4-mapped range is an IPv4 range when its prefix includes the mapped prefix. */
function networkOf({ address, prefixLength }: Cidr): string {
  const narrow = !address.mapped || prefixLength >= mappedPrefix;
  const bytes = narrow ? address.bytes : [...new Array<number>(10).fill(0), 255, 255, ...address.bytes];
  const length = address.mapped && narrow ? prefixLength - mappedPrefix : prefixLength;
  const masked = bytes.map((byte, index) => byte & ~(255 >> Math.min(8, Math.max(0, length - index * 8))) & 255);
  return `${formatIp({ bytes: masked })}/${length}`;
}

function nonStandard(path: string, what: string, text: string, usual: string): string {
  const advice = `will be considered invalid in a future Kubernetes release: use ${JSON.stringify(usual)}`;
  return `${path}: non-standard ${what} ${JSON.stringify(text)} ${advice}`;
}

function listedAddressWarnings(
  object: JsonObject,
  list: string,
  path: string,
  check: (path: string, text: string) => readonly string[] = addressWarnings,
): readonly string[] {
  const values = object[list];
  if (!Array.isArray(values)) return [];
  return values.flatMap((value, index) => (typeof value === 'string' ? check(`${path}.${list}[${index}]`, value) : []));
}

export function endpointsWarnings(endpoints: Decoded<corev1.Endpoints>): readonly string[] {
  return (endpoints.subsets ?? []).flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((list) =>
      (subset[list] ?? []).flatMap((one, place) => addressWarnings(`subsets[${index}].${list}[${place}].ip`, one.ip ?? '')),
    ),
  );
}

export function endpointSliceWarnings(
  slice: Decoded<discoveryv1.EndpointSlice>,
  old: Decoded<discoveryv1.EndpointSlice> | undefined,
): readonly string[] {
  // Upstream's warning names a spec that the kind does not have.
  if ((slice.addressType ?? '') === 'FQDN' && !old) return ['spec.addressType: FQDN endpoints are deprecated'];
  return (slice.endpoints ?? []).flatMap((one, index) => listedAddressWarnings(one, 'addresses', `endpoints[${index}]`));
}

export function networkPolicyWarnings({ spec }: Decoded<networkingv1.NetworkPolicy>): readonly string[] {
  const blocks = [
    ...(spec?.ingress ?? []).flatMap(({ from }, index) => blocksOf(from, `spec.ingress[${index}].from`)),
    ...(spec?.egress ?? []).flatMap(({ to }, index) => blocksOf(to, `spec.egress[${index}].to`)),
  ];
  return blocks.flatMap(({ block, path }) => [
    ...cidrWarnings(`${path}.cidr`, block.cidr ?? ''),
    ...listedAddressWarnings(block, 'except', path, cidrWarnings),
  ]);
}

interface PlacedBlock {
  readonly block: Decoded<networkingv1.IPBlock>;
  readonly path: string;
}

function blocksOf(peers: Decoded<readonly networkingv1.NetworkPolicyPeer[]> | undefined, path: string): readonly PlacedBlock[] {
  return (peers ?? []).map(({ ipBlock }, index) => ({ block: ipBlock ?? {}, path: `${path}[${index}].ipBlock` }));
}

/** Warnings of load balancer addresses in the status. */
export function balancerWarnings(object: Decoded<corev1.Service | networkingv1.Ingress>): readonly string[] {
  return (object.status?.loadBalancer?.ingress ?? []).flatMap((one, index) =>
    addressWarnings(`status.loadBalancer.ingress[${index}]`, one.ip ?? ''),
  );
}

/** Cf. upstream pkg/api/service/warnings.go. */
export function serviceWarnings(
  service: Decoded<corev1.Service>,
  _: Decoded<corev1.Service> | undefined,
  { product: { rename } }: StrategyContext,
): readonly string[] {
  const spec = service.spec ?? {};
  const isExternalName = spec.type === 'ExternalName';
  const isHeadless = !isExternalName && spec.clusterIP === 'None';
  const [hints, mode] = [rename('service.kubernetes.io/topology-aware-hints'), rename('service.kubernetes.io/topology-mode')];
  return [
    ...(Object.hasOwn(service.metadata?.annotations ?? {}, hints) ? [`annotation ${hints} is deprecated, please use ${mode} instead`] : []),
    ...(isHeadless || isExternalName ? [] : listedAddressWarnings(spec, 'clusterIPs', 'spec')),
    ...(isHeadless ? headlessWarnings(spec) : []),
    ...listedAddressWarnings(spec, 'externalIPs', 'spec'),
    ...addressWarnings('spec.loadBalancerIP', spec.loadBalancerIP ?? ''),
    ...listedAddressWarnings(spec, 'loadBalancerSourceRanges', 'spec', cidrWarnings),
    ...(isExternalName ? externalNameWarnings(spec) : otherTypeWarnings(spec)),
  ];
}

type Spec = NonNullable<Decoded<corev1.Service>['spec']>;

function headlessWarnings(spec: Spec): readonly string[] {
  return [
    ...((spec.loadBalancerIP ?? '') === '' ? [] : ['spec.loadBalancerIP is ignored for headless services']),
    ...(hasExternalIps(spec) ? ['spec.externalIPs is ignored for headless services'] : []),
    ...((spec.sessionAffinity ?? '') === 'None' ? [] : ['spec.SessionAffinity is ignored for headless services']),
  ];
}

function externalNameWarnings(spec: Spec): readonly string[] {
  return hasExternalIps(spec) ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : [];
}

function otherTypeWarnings(spec: Spec): readonly string[] {
  return (spec.externalName ?? '') === '' ? [] : ['spec.externalName is ignored when spec.type is not "ExternalName"'];
}

function hasExternalIps(spec: Spec): boolean {
  return Array.isArray(spec.externalIPs) && spec.externalIPs.length > 0;
}

/** Cf. upstream nodeWarnings; `configSource` is dropped before, so that it gets no warning. */
export function nodeWarnings(node: Decoded<corev1.Node>): readonly string[] {
  const spec = node.spec ?? {};
  return [
    ...((spec.externalID ?? '') === '' ? [] : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...listedAddressWarnings(spec, 'podCIDRs', 'spec', cidrWarnings),
  ];
}
