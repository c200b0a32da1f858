import {
  collectErrors,
  type FeatureGates,
  forbiddenField,
  invalid,
  isDns1123Subdomain,
  parseIp,
  validateLegacyCidr,
  validateLegacyIp,
} from '../../../../meta/index.ts';
import type { corev1, networkingv1 } from '../../../api/index.ts';
import { type Errors, none, validateNameWith, validateOneOf } from '../../checks.ts';
import type { Decoded } from '../../decoded.ts';

/** The error for fields that are only valid with a load balancer. */
export const loadBalancerOnlyError = "may only be used when `type` is 'LoadBalancer'";

/** Source ranges of the load balancer. */
export function validateSourceRanges(spec: Decoded<corev1.ServiceSpec>, old: Decoded<corev1.ServiceSpec>, gates: FeatureGates): Errors {
  const known = (old.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  const ranges = spec.loadBalancerSourceRanges ?? [];
  // Upstream's path has a capital letter.
  const path = 'spec.LoadBalancerSourceRanges';
  if (ranges.length === 0) return none;
  return [
    ...((spec.type ?? '') === 'LoadBalancer' ? none : [forbiddenField(path, loadBalancerOnlyError)]),
    ...collectErrors(ranges, (range, index) => validateLegacyCidr(`${path}[${index}]`, range.trim(), gates, known)),
  ];
}

/** The source ranges in the annotation, which is older than the field; stored ones are not validated again. */
export function validateAnnotatedRanges(
  service: Decoded<corev1.Service>,
  old: Decoded<corev1.Service> | undefined,
  { rangesAnnotation: annotation, gates }: { readonly rangesAnnotation: string; readonly gates: FeatureGates },
): Errors {
  const { metadata, spec } = service;
  const given = metadata?.annotations?.[annotation];
  if (given === undefined || spec?.loadBalancerSourceRanges?.length) return none;
  const path = `metadata.annotations[${annotation}]`;
  const known = old?.metadata?.annotations?.[annotation] === given;
  const ranges = known || given.trim() === '' ? [] : given.trim().split(',');
  return [
    ...(spec?.type === 'LoadBalancer' ? none : [forbiddenField(path, loadBalancerOnlyError)]),
    ...collectErrors(ranges, (range) => validateLegacyCidr(path, range.trim(), gates)),
  ];
}

/** The load balancer addresses of a Service or an Ingress. */
export function ingressPoints(object: Decoded<corev1.Service | networkingv1.Ingress>): readonly Decoded<corev1.LoadBalancerIngress>[] {
  return object.status?.loadBalancer?.ingress ?? [];
}

/** The load balancer status; stored addresses stay valid. */
export function validateLoadBalancerStatus(service: Decoded<corev1.Service>, old: Decoded<corev1.Service>, gates: FeatureGates): Errors {
  const path = 'status.loadBalancer.ingress';
  const ingress = ingressPoints(service);
  const known = ingressPoints(old).map((one) => one.ip ?? '');
  if (ingress.length > 0 && (service.spec?.type ?? '') !== 'LoadBalancer') {
    return [forbiddenField(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return collectErrors(ingress, (one, index) => {
    const [ip, hostname] = [one.ip ?? '', one.hostname ?? ''];
    const mode = one.ipMode;
    return [
      ...(ip === '' ? none : validateLegacyIp(`${path}[${index}].ip`, ip, gates, known)),
      ...(ip === '' && mode !== undefined
        ? [forbiddenField(`${path}[${index}].ipMode`, 'may not be specified when `ip` is not set')]
        : none),
      ...validateOneOf(mode, ['Proxy', 'VIP'], `${path}[${index}].ipMode`),
      ...(hostname === '' ? none : validateHostname(hostname, `${path}[${index}].hostname`)),
    ];
  });
}

/** A hostname of a load balancer. */
export function validateHostname(hostname: string, path: string): Errors {
  return [
    ...validateNameWith(isDns1123Subdomain, hostname, path),
    ...(parseIp(hostname) ? [invalid(path, hostname, 'must be a DNS name, not an IP address')] : none),
  ];
}
