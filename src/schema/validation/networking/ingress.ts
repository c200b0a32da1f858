import {
  collectErrors,
  type FeatureGates,
  forbiddenField,
  invalid,
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isPathSegmentName,
  isPortName,
  isWildcardDns1123Subdomain,
  type NameRule,
  parseIp,
  required,
  tooLong,
  validateDomainPrefixedPath,
  validateLegacyIp,
} from '../../../meta/index.ts';
import type { corev1, networkingv1 } from '../../api/index.ts';
import {
  type Errors,
  none,
  validateDnsLabel,
  validateDnsSubdomain,
  validateImmutable,
  validateNameWith,
  validateOneOf,
  validatePortNumber,
} from '../checks.ts';
import { ingressPoints, validateHostname } from '../core/services/service-balancer.ts';
import type { Decoded } from '../decoded.ts';
import type { KindValidators, ValidationContext } from '../kind-validator.ts';
import { validateAllOnUpdate, validateFullMetadata, validateObjectMetaUpdate } from '../update-validators.ts';

const maxController = 250;

function validateLoadBalancers(ingress: Decoded<networkingv1.Ingress>, old: Decoded<networkingv1.Ingress>, gates: FeatureGates): Errors {
  const known = ingressPoints(old).map((one) => one.ip ?? '');
  return collectErrors(ingressPoints(ingress), (one, index) => {
    const [ip, hostname, path] = [one.ip ?? '', one.hostname ?? '', `status.loadBalancer.ingress[${index}]`];
    return [
      ...(ip === '' ? none : validateLegacyIp(`${path}.ip`, ip, gates, known)),
      ...(hostname === '' ? none : validateHostname(hostname, `${path}.hostname`)),
    ];
  });
}

/** Cf. upstream pkg/apis/networking/validation. */
export function ingressValidators({ rename, gates }: ValidationContext): KindValidators {
  const serviceName = gates.enabled('RelaxedServiceNameValidation') ? isDns1123Label : isDns1035Label;
  const annotation = rename('kubernetes.io/ingress.class');
  return {
    'networking.Ingress': {
      create: (ingress) => [...validateIngressSpec(ingress.spec ?? {}, serviceName), ...validateConflictingClasses(ingress, annotation)],
      update: (next, old) => [
        ...validateObjectMetaUpdate(next, old),
        ...validateFullMetadata({ type: 'networking.Ingress', namespaced: true }, next),
        ...validateIngressSpec(next.spec ?? {}, serviceName),
      ],
      updateStatus: (next, old) => [...validateObjectMetaUpdate(next, old), ...validateLoadBalancers(next, old, gates)],
    },
    'networking.IngressClass': validateAllOnUpdate(
      { type: 'networking.IngressClass', namespaced: false },
      validateIngressClass,
      (next, old) => validateImmutable(next.spec?.controller ?? '', old.spec?.controller ?? '', 'spec.controller'),
    ),
  };
}

/** The deprecated annotation and the field must agree. */
function validateConflictingClasses(ingress: Decoded<networkingv1.Ingress>, annotation: string): Errors {
  const old = ingress.metadata?.annotations?.[annotation];
  const name = ingress.spec?.ingressClassName;
  if (old === undefined || name === undefined || old === name) return none;
  return [invalid(`annotations.${annotation}`, old, 'must match `ingressClassName` when both are specified')];
}

function validateIngressSpec(spec: Decoded<networkingv1.IngressSpec>, serviceName: NameRule): Errors {
  const [rules, fallback] = [spec.rules ?? [], spec.defaultBackend];
  const className = spec.ingressClassName;
  return [
    ...(rules.length === 0 && !fallback ? [invalid('spec', spec.rules, 'either `defaultBackend` or `rules` must be specified')] : none),
    ...(fallback ? validateBackend(fallback, 'spec.defaultBackend', serviceName) : none),
    ...collectErrors(rules, (rule, index) => validateIngressRule(rule, `spec.rules[${index}]`, serviceName)),
    ...collectErrors(spec.tls ?? [], (tls, index) => validateIngressTls(tls, `spec.tls[${index}]`)),
    ...(className === undefined ? none : validateDnsSubdomain(className, 'spec.ingressClassName')),
  ];
}

function validateIngressRule(rule: Decoded<networkingv1.IngressRule>, path: string, serviceName: NameRule): Errors {
  const host = rule.host ?? '';
  const http = rule.http;
  const paths = http?.paths ?? [];
  return [
    ...(parseIp(host) ? [invalid(`${path}.host`, host, 'must be a DNS name, not an IP address')] : none),
    ...(host === '' ? none : validateHostName(host, `${path}.host`)),
    ...(http && paths.length === 0 ? [required(`${path}.http.paths`, '')] : none),
    ...collectErrors(paths, (one, index) => validateIngressPath(one, `${path}.http.paths[${index}]`, serviceName)),
  ];
}

function validateHostName(host: string, path: string): Errors {
  return validateNameWith(host.includes('*') ? isWildcardDns1123Subdomain : isDns1123Subdomain, host, path);
}

function validateIngressPath(given: Decoded<networkingv1.HTTPIngressPath>, path: string, serviceName: NameRule): Errors {
  const [type, target] = [given.pathType ?? undefined, given.path ?? ''];
  if (type === undefined) return [required(`${path}.pathType`, 'pathType must be specified')];
  return [...validatePathOfType(type, target, path), ...validateBackend(given.backend ?? {}, `${path}.backend`, serviceName)];
}

function validatePathOfType(type: string, target: string, path: string): Errors {
  const at = `${path}.path`;
  const absolute = target.startsWith('/') ? none : [invalid(at, target, 'must be an absolute path')];
  switch (type) {
    case 'Exact':
    case 'Prefix':
      return [
        ...absolute,
        ...['//', '/./', '/../', '%2f', '%2F']
          .filter((part) => target.includes(part))
          .map((part) => invalid(at, target, `must not contain '${part}'`)),
        ...['/..', '/.'].filter((end) => target.endsWith(end)).map((end) => invalid(at, target, `cannot end with '${end}'`)),
      ];
    case 'ImplementationSpecific':
      return target === '' ? none : absolute;
    default:
      return validateOneOf(type, ['Exact', 'ImplementationSpecific', 'Prefix'], `${path}.pathType`);
  }
}

function validateBackend(given: Decoded<networkingv1.IngressBackend>, path: string, serviceName: NameRule): Errors {
  const [resource, service] = [given.resource, given.service];
  if (resource && service) return [invalid(path, '', 'cannot set both resource and service backends')];
  if (resource) return validateTypedReference(resource, `${path}.resource`);
  if (!service) return [invalid(path, '', 'resource or service backend is required')];
  const name = service.name ?? '';
  return [
    ...(name === '' ? [required(`${path}.service.name`, '')] : validateNameWith(serviceName, name, `${path}.service.name`)),
    ...validateBackendPort(service.port ?? {}, path),
  ];
}

function validateBackendPort(port: Decoded<networkingv1.ServiceBackendPort>, path: string): Errors {
  const [name, number] = [port.name ?? '', port.number ?? 0];
  if (name !== '' && number !== 0) return [invalid(path, '', 'cannot set both port name & port number')];
  if (name !== '') return validateNameWith(isPortName, name, `${path}.service.port.name`);
  return number === 0 ? [required(path, 'port name or number is required')] : validatePortNumber(number, `${path}.service.port.number`);
}

type TypedReference = Decoded<corev1.TypedLocalObjectReference>;

function validateTypedReference(reference: TypedReference, path: string): Errors {
  const { apiGroup: group } = reference;
  return [
    ...(typeof group === 'string' ? validateDnsSubdomain(group, `${path}.apiGroup`) : none),
    ...validateSegment(reference, 'kind', path),
    ...validateSegment(reference, 'name', path),
  ];
}

function validateSegment(reference: TypedReference, field: 'kind' | 'name', path: string): Errors {
  const value = reference[field] ?? '';
  return value === '' ? [required(`${path}.${field}`, '')] : validateNameWith(isPathSegmentName, value, `${path}.${field}`);
}

function validateIngressTls(tls: Decoded<networkingv1.IngressTLS>, path: string): Errors {
  const secret = tls.secretName ?? '';
  return [
    ...collectErrors(tls.hosts ?? [], (host, index) => validateHostName(host, `${path}.hosts[${index}]`)),
    ...(secret === '' ? none : validateDnsSubdomain(secret, `${path}.secretName`)),
  ];
}

function validateIngressClass(object: Decoded<networkingv1.IngressClass>): Errors {
  const spec = object.spec ?? {};
  const controller = spec.controller ?? '';
  const parameters = spec.parameters;
  return [
    ...(controller.length > maxController ? [tooLong('spec.controller', maxController)] : none),
    ...validateDomainPrefixedPath('spec.controller', controller),
    ...(parameters ? validateClassParameters(parameters, 'spec.parameters') : none),
  ];
}

function validateClassParameters(parameters: Decoded<networkingv1.IngressClassParametersReference>, path: string): Errors {
  const [scope, namespace] = [parameters.scope ?? undefined, parameters.namespace];
  const errors = [...validateTypedReference(parameters, path)];
  if (scope === undefined) errors.push(required(`${path}.scope`, ''));
  else errors.push(...validateOneOf(scope, ['Cluster', 'Namespace'], `${path}.scope`));
  if (scope === 'Namespace') {
    if (namespace === undefined) errors.push(required(`${path}.namespace`, "`parameters.scope` is set to 'Namespace'"));
    else errors.push(...validateDnsLabel(namespace, `${path}.namespace`));
  }
  if (scope === 'Cluster' && namespace !== undefined)
    errors.push(forbiddenField(`${path}.namespace`, "`parameters.scope` is set to 'Cluster'"));
  return errors;
}
